// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.dialect.Dialect;
import dev.lockstep.dialect.Dialects;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import org.jspecify.annotations.Nullable;

/** The option {@code --compat}: another tool whose files a command writes instead of its own. */
final class CompatOption {
    private @Nullable String given;
    private @Nullable Dialect dialect;

    /** @param tools what the help says about tools that the command knows */
    void declare(Arguments arguments, String tools) {
        arguments.option(
                "--compat", "TOOL", String.class, "Reproduce another tool: " + tools + ".", name -> given = name);
    }

    /** Whether another tool was named. */
    boolean isGiven() {
        return given != null;
    }

    /** What the named tool has of a kind; the program's own when none was named. */
    <P> P or(P own, Class<P> kind) {
        P part = part(kind);
        return part == null ? own : part;
    }

    /**
     * What the named tool has of a kind; null when none was named.
     *
     * @throws UserException when there is no such tool, or it has nothing of the kind
     */
    <P> @Nullable P part(Class<P> kind) {
        if (given == null) {
            return null;
        }
        return named(given, kind)
                .part(kind)
                .orElseThrow(() -> unknown("--compat " + given + ": that tool does nothing like this command", kind));
    }

    /**
     * Whether a tool was named that has something of a kind.
     *
     * @throws UserException when there is no such tool
     */
    boolean has(Class<?> kind) {
        return given != null && named(given, kind).part(kind).isPresent();
    }

    private Dialect named(String tool, Class<?> kind) {
        if (dialect == null) {
            dialect = Dialects.named(tool).orElseThrow(() -> unknown("unknown tool for --compat: " + tool, kind));
        }
        return dialect;
    }

    private static UserException unknown(String problem, Class<?> kind) {
        return new UserException(
                ErrorCode.OPTION_INVALID, problem, "known: " + String.join(", ", Dialects.having(kind)));
    }
}
