// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.error.Nearest;
import dev.lockstep.perfmodel.FormulaTokens.Kind;
import dev.lockstep.perfmodel.Value.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads a formula. From loose to tight:
 *
 * <pre>
 *   a if c else b          or          and          not          == != &lt; &lt;= &gt; &gt;=
 *   + -          * / // %          -x          x[i]  x[i:j]
 *   3  0.5  'text'  true  false  none  name  function(x, y)  (x)  (x, y)  [x, y]
 * </pre>
 */
final class FormulaParser {
    private static final int DEEPEST = 100;

    private final FormulaText source;
    private final FormulaTokens tokens;
    private final ToIntFunction<String> slots;
    private int depth;

    private FormulaParser(FormulaText source, ToIntFunction<String> slots) {
        this.source = source;
        this.tokens = new FormulaTokens(source);
        this.slots = slots;
    }

    /**
     * The formula of a text.
     *
     * @param slots the slot of each name that may occur, -1 for others
     * @throws dev.lockstep.error.UserException naming file, line, column and what was expected there
     */
    static Formula parse(FormulaText source, ToIntFunction<String> slots) {
        FormulaParser parser = new FormulaParser(source, slots);
        Formula formula = parser.choice();
        if (parser.tokens.kind() != Kind.END) {
            throw source.invalid(parser.tokens.offset(), "expected an operator, found " + parser.tokens.found());
        }
        return formula;
    }

    private Formula choice() {
        if (++depth > DEEPEST) {
            throw source.invalid(tokens.offset(), "nested too deeply");
        }
        Formula first = either();
        if (tokens.take("if")) {
            Formula condition = either();
            tokens.expect("else");
            Formula second = choice();
            Formula yes = first;
            first = scope -> Arithmetic.holds(condition.in(scope)) ? yes.in(scope) : second.in(scope);
        }
        depth--;
        return first;
    }

    private Formula either() {
        Formula left = both();
        while (tokens.take("or")) {
            Formula a = left;
            Formula b = both();
            left = scope -> Value.of(Arithmetic.holds(a.in(scope)) || Arithmetic.holds(b.in(scope)));
        }
        return left;
    }

    private Formula both() {
        Formula left = negation();
        while (tokens.take("and")) {
            Formula a = left;
            Formula b = negation();
            left = scope -> Value.of(Arithmetic.holds(a.in(scope)) && Arithmetic.holds(b.in(scope)));
        }
        return left;
    }

    private Formula negation() {
        if (tokens.take("not")) {
            Formula inner = comparison();
            return scope -> Value.of(!Arithmetic.holds(inner.in(scope)));
        }
        return comparison();
    }

    private Formula comparison() {
        Formula a = sum();
        for (String symbol : List.of("==", "!=", "<=", ">=", "<", ">")) {
            if (tokens.take(symbol)) {
                Formula b = sum();
                return scope -> Value.of(Arithmetic.compare(symbol, a.in(scope), b.in(scope)));
            }
        }
        return a;
    }

    private Formula sum() {
        Formula left = product();
        while (tokens.at("+") || tokens.at("-")) {
            left = binary(left, this::product);
        }
        return left;
    }

    private Formula product() {
        Formula left = sign();
        while (tokens.at("*") || tokens.at("/") || tokens.at("//") || tokens.at("%")) {
            left = binary(left, this::sign);
        }
        return left;
    }

    private Formula binary(Formula a, Supplier<Formula> operand) {
        String symbol = tokens.token();
        tokens.advance();
        Formula b = operand.get();
        return switch (symbol) {
            case "+" -> scope -> Arithmetic.add(a.in(scope), b.in(scope));
            case "-" -> scope -> Arithmetic.subtract(a.in(scope), b.in(scope));
            case "*" -> scope -> Arithmetic.multiply(a.in(scope), b.in(scope));
            case "/" -> scope -> Arithmetic.divide(a.in(scope), b.in(scope));
            case "//" -> scope -> Arithmetic.floorDivide(a.in(scope), b.in(scope));
            default -> scope -> Arithmetic.modulo(a.in(scope), b.in(scope));
        };
    }

    private Formula sign() {
        if (tokens.take("-")) {
            Formula inner = element();
            return scope -> Arithmetic.subtract(Value.of(0), inner.in(scope));
        }
        return element();
    }

    private Formula element() {
        Formula whole = atom();
        while (tokens.take("[")) {
            Formula from = tokens.at(":") ? null : choice();
            if (tokens.take(":")) {
                whole = slice(whole, from, tokens.at("]") ? null : choice());
            } else {
                Formula sequence = whole;
                Formula index = Objects.requireNonNull(from);
                whole = scope -> Arithmetic.element(sequence.in(scope), Arithmetic.integer(index.in(scope)));
            }
            tokens.expect("]");
        }
        return whole;
    }

    private static Formula slice(Formula sequence, @Nullable Formula from, @Nullable Formula to) {
        return scope -> {
            Value value = sequence.in(scope);
            long start = from == null ? 0 : Arithmetic.integer(from.in(scope));
            long end = to == null ? Long.MAX_VALUE : Arithmetic.integer(to.in(scope));
            return Arithmetic.slice(value, start, end);
        };
    }

    private Formula atom() {
        int offset = tokens.offset();
        String token = tokens.kind() == Kind.END ? "" : tokens.token();
        switch (tokens.kind()) {
            case NUMBER -> {
                Value value = Numeral.parse(token);
                if (value instanceof Value.Text) {
                    throw source.invalid(offset, "'" + token + "' is no number");
                }
                tokens.advance();
                return scope -> value;
            }
            case TEXT -> {
                Value value = Value.of(token);
                tokens.advance();
                return scope -> value;
            }
            case NAME -> {
                tokens.advance();
                return tokens.at("(") ? call(offset, token) : name(offset, token);
            }
            default -> {
                if (tokens.take("(")) {
                    return parenthesis();
                }
                if (tokens.take("[")) {
                    return sequence(arguments("]"), false);
                }
                throw source.invalid(offset, "expected a number, name, text or bracket, found " + tokens.found());
            }
        }
    }

    private Formula parenthesis() {
        if (tokens.take(")")) {
            return sequence(List.of(), true);
        }
        Formula first = choice();
        if (tokens.take(")")) {
            return first;
        }
        tokens.expect(",");
        List<Formula> elements = new ArrayList<>();
        elements.add(first);
        elements.addAll(arguments(")"));
        return sequence(elements, true);
    }

    private static Formula sequence(List<Formula> elements, boolean tuple) {
        return scope -> {
            List<Value> values = new ArrayList<>(elements.size());
            for (Formula element : elements) {
                values.add(element.in(scope));
            }
            return Sequence.bounded(values, tuple);
        };
    }

    private List<Formula> arguments(String closing) {
        List<Formula> arguments = new ArrayList<>();
        while (!tokens.take(closing)) {
            if (!arguments.isEmpty()) {
                tokens.expect(",");
            }
            arguments.add(choice());
        }
        return arguments;
    }

    private Formula call(int offset, String name) {
        tokens.expect("(");
        List<Formula> arguments = arguments(")");
        if (name.equals("default") && arguments.size() == 2) {
            return fallback(arguments.get(0), arguments.get(1));
        }
        Functions.Function function = Functions.named(name);
        if (function == null) {
            throw source.invalid(
                    offset,
                    "no function is called '" + name + "'; did you mean '" + Nearest.of(name, Functions.names()) + "'");
        }
        if (arguments.size() < function.fewest() || arguments.size() > function.most()) {
            throw source.invalid(offset, "expected " + function.usage());
        }
        Formula[] each = arguments.toArray(Formula[]::new);
        return scope -> {
            Value[] values = new Value[each.length];
            for (int i = 0; i < each.length; i++) {
                values[i] = each[i].in(scope);
            }
            return function.body().apply(scope, values);
        };
    }

    private static Formula fallback(Formula first, Formula second) {
        return scope -> {
            try {
                return first.in(scope);
            } catch (NotModelled e) {
                return second.in(scope);
            }
        };
    }

    private Formula name(int offset, String name) {
        switch (name) {
            case "true", "false" -> {
                Value value = Value.of(name.equals("true"));
                return scope -> value;
            }
            case "none" -> {
                return scope -> Value.NONE;
            }
            default -> {
                int slot = slots.applyAsInt(name);
                if (slot < 0) {
                    throw source.invalid(offset, "'" + name + "' is not defined");
                }
                return scope -> scope.name(slot);
            }
        }
    }
}
