// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** An option whose value may be left out takes one only behind {@code =}, never the argument that follows it. */
final class AttachedValue implements IParameterPreprocessor {
    @Override
    @SuppressWarnings("JdkObsolete") // the interface wants a Stack
    public boolean preprocess(Stack<String> args, CommandSpec command, ArgSpec argument, Map<String, Object> info) {
        if (!"=".equals(info.get("separator")) && argument instanceof OptionSpec option) {
            args.push(option.fallbackValue());
        }
        return false;
    }
}
