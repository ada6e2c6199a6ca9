// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * The signature of an operator, as in {@code aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor}.
 *
 * @param name with its namespace, without overload
 * @param overload empty for the default one
 * @param parameters in order
 * @param isView whether what it returns is memory of an argument, which it leaves as it is
 * @param isInPlace whether it changes an argument
 */
public record OperatorSchema(
        String name, String overload, List<Parameter> parameters, boolean isView, boolean isInPlace) {
    public OperatorSchema {
        parameters = List.copyOf(parameters);
    }

    /** Whether a text that it takes names a file, or where there is one. */
    public boolean takesFile() {
        return parameters.stream()
                .anyMatch(parameter -> parameter.type().base() == SchemaType.Base.TEXT
                        && parameter.name().matches(".*(file|path|uri|url).*"));
    }

    /**
     * @param hasDefault whether it may be left out
     * @param isWritten whether the operator changes it
     */
    public record Parameter(String name, SchemaType type, boolean hasDefault, boolean isWritten) {}

    /**
     * Reads a signature.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static OperatorSchema parse(String text) {
        int open = text.indexOf('(');
        int arrow = text.lastIndexOf("->");
        if (open < 0 || arrow < open) {
            throw new IllegalArgumentException("no signature: " + text);
        }
        String head = text.substring(0, open).strip();
        int dot = head.indexOf('.');
        String inside = text.substring(open + 1, text.lastIndexOf(')', arrow));
        List<Parameter> parameters = new ArrayList<>();
        for (String part : split(inside)) {
            if (!part.equals("*")) {
                parameters.add(parameter(part));
            }
        }
        String returned = text.substring(arrow + 2);
        boolean writes = parameters.stream().anyMatch(Parameter::isWritten);
        boolean aliases = returned.contains("(") && returned.matches(".*\\w\\([a-z*|]+.*");
        return new OperatorSchema(
                dot < 0 ? head : head.substring(0, dot),
                dot < 0 ? "" : head.substring(dot + 1),
                parameters,
                aliases && !writes,
                writes);
    }

    private static Parameter parameter(String text) {
        int space = lastSpaceBeforeName(text);
        String type = text.substring(0, space);
        String rest = text.substring(space + 1);
        int equals = rest.indexOf('=');
        return new Parameter(
                equals < 0 ? rest : rest.substring(0, equals), SchemaType.parse(type), equals >= 0, type.contains("!"));
    }

    /** Defaults may hold spaces, types in parentheses too. */
    private static int lastSpaceBeforeName(String text) {
        int equals = text.indexOf('=');
        int end = equals < 0 ? text.length() : equals;
        int space = text.lastIndexOf(' ', end - 1);
        if (space < 0) {
            throw new IllegalArgumentException("no parameter: " + text);
        }
        return space;
    }

    /** The parts between commas that are in no brackets and no quotes. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            quoted ^= c == '"' || c == '\'';
            if (!quoted && (c == '(' || c == '[')) {
                depth++;
            } else if (!quoted && (c == ')' || c == ']')) {
                depth--;
            } else if (!quoted && depth == 0 && c == ',') {
                parts.add(text.substring(from, i).strip());
                from = i + 1;
            }
        }
        String last = text.substring(from).strip();
        if (!last.isEmpty()) {
            parts.add(last);
        }
        return parts;
    }
}
