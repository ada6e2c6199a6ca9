// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.words;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * C++ names as compilers mangle them (Itanium C++ ABI, section 5.1) in the words of their source, as {@code c++filt} spells
 * them: what kernels have, which is nested names, templates, lambdas, types, constants and substitutions. A name that has
 * anything else in it stays as it was recorded. Time and length of the result are linear in the length of the name.
 */
final class MangledNames {
    private static final int DEEPEST = 200;
    private static final int MOST_PER_CHARACTER = 64;
    private static final int LONGEST_PER_CHARACTER = 16;
    private static final int MOST_AT_LEAST = 4096;
    private static final String END = "E";

    private static final Map<Character, String> BUILTIN = Map.ofEntries(
            Map.entry('v', "void"),
            Map.entry('w', "wchar_t"),
            Map.entry('b', "bool"),
            Map.entry('c', "char"),
            Map.entry('a', "signed char"),
            Map.entry('h', "unsigned char"),
            Map.entry('s', "short"),
            Map.entry('t', "unsigned short"),
            Map.entry('i', "int"),
            Map.entry('j', "unsigned int"),
            Map.entry('l', "long"),
            Map.entry('m', "unsigned long"),
            Map.entry('x', "long long"),
            Map.entry('y', "unsigned long long"),
            Map.entry('n', "__int128"),
            Map.entry('o', "unsigned __int128"),
            Map.entry('f', "float"),
            Map.entry('d', "double"),
            Map.entry('e', "long double"),
            Map.entry('g', "__float128"),
            Map.entry('z', "..."));
    private static final Map<String, String> TWO_LETTERS =
            Map.of("Di", "char32_t", "Ds", "char16_t", "Du", "char8_t", "Dn", "decltype(nullptr)", "Da", "auto");
    private static final Map<Character, String> STANDARD = Map.of(
            'a',
            "std::allocator",
            's',
            "std::string",
            'b',
            "std::basic_string",
            'i',
            "std::istream",
            'o',
            "std::ostream",
            'd',
            "std::iostream");
    private static final Map<Character, String> SUFFIXES =
            Map.of('i', "", 'j', "u", 'l', "l", 'm', "ul", 'x', "ll", 'y', "ull");
    private static final Map<String, String> OPERATORS = Map.ofEntries(
            Map.entry("cl", "()"),
            Map.entry("ix", "[]"),
            Map.entry("pl", "+"),
            Map.entry("mi", "-"),
            Map.entry("ml", "*"),
            Map.entry("dv", "/"),
            Map.entry("rm", "%"),
            Map.entry("aS", "="),
            Map.entry("pL", "+="),
            Map.entry("mI", "-="),
            Map.entry("mL", "*="),
            Map.entry("dV", "/="),
            Map.entry("eq", "=="),
            Map.entry("ne", "!="),
            Map.entry("lt", "<"),
            Map.entry("gt", ">"),
            Map.entry("le", "<="),
            Map.entry("ge", ">="),
            Map.entry("an", "&"),
            Map.entry("or", "|"),
            Map.entry("eo", "^"),
            Map.entry("co", "~"),
            Map.entry("nt", "!"),
            Map.entry("aa", "&&"),
            Map.entry("oo", "||"),
            Map.entry("ls", "<<"),
            Map.entry("rs", ">>"),
            Map.entry("pp", "++"),
            Map.entry("mm", "--"),
            Map.entry("pt", "->"));

    /** The name holds what is not understood. */
    private static final class Unknown extends Exception {
        private static final long serialVersionUID = 1;

        private Unknown() {
            super("", null, false, false);
        }
    }

    /** How a type goes on when it is pointed to. */
    private enum Shape {
        PLAIN,
        FUNCTION,
        ARRAY
    }

    /**
     * A type, around the place of what is declared with it.
     *
     * @param pack the types of a parameter pack; null for what is none
     */
    private record Type(
            String left,
            String right,
            Shape shape,
            @Nullable List<Type> pack) {
        private static Type plain(String text) {
            return new Type(text, "", Shape.PLAIN, null);
        }

        private String text() {
            return left + right;
        }
    }

    /**
     * A name.
     *
     * @param last its last part, without arguments of a template
     * @param templated whether it ends with arguments of a template
     * @param qualifiers of the function, behind its parameters
     */
    private record Name(String text, String last, boolean templated, String qualifiers) {}

    private final String name;
    private final List<@Nullable Type> seen = new ArrayList<>();
    private List<Type> arguments = List.of();
    private long budget;
    private int at;
    private int depth;
    private int packIndex = -1;
    private int packSize = -1;
    private boolean lambda;

    private MangledNames(String name) {
        this.name = name;
        budget = (long) MOST_PER_CHARACTER * name.length() + MOST_AT_LEAST;
    }

    /** The name as its source has it; the same where it is none that is mangled, or not understood. */
    static String demangled(String name) {
        if (!name.startsWith("_Z")) {
            return name;
        }
        int clone = name.indexOf('.');
        String mangled = clone < 0 ? name : name.substring(0, clone);
        MangledNames reader = new MangledNames(mangled);
        reader.at = 2;
        try {
            String text = reader.encoding(false);
            if (reader.at < mangled.length()
                    || text.length() > LONGEST_PER_CHARACTER * mangled.length() + MOST_AT_LEAST) {
                return name;
            }
            return clone < 0 ? text : text + " [clone " + name.substring(clone) + "]";
        } catch (Unknown e) {
            return name;
        }
    }

    /** @param inner whether it is part of another name, which leaves out what it returns */
    private String encoding(boolean inner) throws Unknown {
        deeper();
        List<Type> outer = arguments;
        arguments = List.of();
        Name function = name(true);
        String text = function.text;
        if (at < name.length() && peek() != 'E') {
            boolean isSpecial = function.last.isEmpty();
            Type returned = function.templated && !isSpecial ? type() : null;
            text = paid((returned == null || inner ? "" : returned.left + (returned.right.isEmpty() ? " " : ""))
                    + text
                    + parameters()
                    + function.qualifiers
                    + (returned == null || inner ? "" : returned.right));
            if (returned != null && returned.shape != Shape.PLAIN) {
                throw new Unknown();
            }
        }
        if (text.equals(function.text) && !function.qualifiers.isEmpty()) {
            throw new Unknown();
        }
        arguments = outer;
        depth--;
        return text;
    }

    private String parameters() throws Unknown {
        List<String> types = new ArrayList<>();
        do {
            listed(type(), types);
        } while (at < name.length() && peek() != 'E');
        if (types.size() == 1 && types.getFirst().equals("void")) {
            types.clear();
        }
        return paid("(" + String.join(", ", types) + ")");
    }

    private static void listed(Type type, List<String> texts) {
        if (type.pack == null) {
            texts.add(type.text());
        } else {
            type.pack.forEach(one -> listed(one, texts));
        }
    }

    /** @param scope whether its arguments are what {@code T_} stands for */
    private Name name(boolean scope) throws Unknown {
        deeper();
        Name read = switch (peek()) {
            case 'N' -> nested(scope);
            case 'Z' -> local();
            default -> unscoped(scope);
        };
        depth--;
        return read;
    }

    private Name unscoped(boolean scope) throws Unknown {
        Name read;
        if (peek() == 'S' && peek(1) != 't') {
            read = new Name(substitution().text(), "?", false, "");
        } else {
            boolean std = skip("St");
            String last = part("");
            read = new Name(std ? "std::" + last : last, last, false, "");
            if (ahead('I')) {
                seen.add(Type.plain(read.text));
            }
        }
        return ahead('I') ? templated(read, scope) : read;
    }

    private Name templated(Name template, boolean scope) throws Unknown {
        List<Type> given = templateArguments();
        if (scope) {
            arguments = given;
        }
        List<String> texts = new ArrayList<>();
        for (Type type : given) {
            listed(type, texts);
        }
        String list = String.join(", ", texts);
        String open = template.text.endsWith("<") ? " <" : "<";
        String text = paid(template.text + open + list + (list.endsWith(">") ? " >" : ">"));
        return new Name(text, template.last, true, template.qualifiers);
    }

    private Name nested(boolean scope) throws Unknown {
        at++;
        String qualifiers = qualifiers();
        if (skip("R")) {
            qualifiers += " &";
        } else if (skip("O")) {
            qualifiers += " &&";
        }
        Name read = new Name("", "", false, "");
        while (!skip(END)) {
            boolean known = false;
            if (peek() == 'I') {
                if (read.text.isEmpty() || read.templated) {
                    throw new Unknown();
                }
                read = templated(read, scope);
            } else if (peek() == 'S' && peek(1) != 't' && read.text.isEmpty()) {
                read = new Name(substitution().text(), "?", false, "");
                known = true;
            } else if (read.text.isEmpty() && skip("St")) {
                read = new Name("std", "std", false, "");
                known = true;
            } else if (peek() == 'T' && read.text.isEmpty()) {
                read = new Name(parameter().text(), "?", false, "");
            } else {
                char kind = peek();
                String last = part(read.last);
                boolean special = kind == 'C' || kind == 'D';
                String text = read.text.isEmpty() ? last : paid(read.text + "::" + last);
                read = new Name(text, special ? "" : last, false, "");
            }
            if (!known && !ahead('E')) {
                seen.add(Type.plain(read.text));
            }
        }
        if (read.text.isEmpty()) {
            throw new Unknown();
        }
        return new Name(read.text, read.last, read.templated, qualifiers);
    }

    private Name local() throws Unknown {
        at++;
        int before = packIndex;
        boolean outer = lambda;
        packIndex = -1;
        lambda = false;
        String function = encoding(true);
        packIndex = before;
        lambda = outer;
        expect(END);
        if (peek() == 's' || peek() == 'd') {
            throw new Unknown();
        }
        int first = seen.size();
        boolean nested = peek() == 'N';
        Name inner = name(true);
        for (int i = first; !nested && i < first + 1 && i < seen.size() && inner.templated; i++) {
            seen.set(i, null); // the name of a local template, which nothing else has
        }
        if (nested) {
            for (int i = first; i < seen.size(); i++) {
                Type one = seen.get(i);
                if (one != null && inner.text.startsWith(one.text())) {
                    seen.set(i, Type.plain(paid(function + "::" + one.text())));
                }
            }
        }
        discriminator();
        return new Name(paid(function + "::" + inner.text), inner.last, inner.templated, inner.qualifiers);
    }

    private void discriminator() throws Unknown {
        if (skip("__")) {
            number();
            expect("_");
        } else if (ahead('_')) {
            at++;
            if (!Character.isDigit(peek())) {
                throw new Unknown();
            }
            at++;
        }
    }

    /** @param around the last part of the name before it, which constructors repeat */
    private String part(String around) throws Unknown {
        char c = peek();
        String text;
        if (c == 'L' && Character.isDigit(peek(1))) {
            at++;
            text = source();
        } else if (Character.isDigit(c)) {
            text = source();
        } else if (c == 'U') {
            text = unnamed();
        } else if ((c == 'C' || c == 'D') && "0123".indexOf(peek(1)) >= 0) {
            if (around.isEmpty() || around.equals("?") || around.startsWith("operator")) {
                throw new Unknown();
            }
            at += 2;
            int tag = around.indexOf('[');
            String own = tag < 0 ? around : around.substring(0, tag);
            return c == 'D' ? "~" + own : own;
        } else {
            String operator = at + 2 <= name.length() ? OPERATORS.get(name.substring(at, at + 2)) : null;
            if (operator == null) {
                throw new Unknown();
            }
            at += 2;
            text = "operator" + operator;
        }
        while (skip("B")) {
            text += "[abi:" + source() + "]";
        }
        return paid(text);
    }

    private String source() throws Unknown {
        int length = number();
        if (length == 0 || length > name.length() - at) {
            throw new Unknown();
        }
        String text = name.substring(at, at + length);
        at += length;
        boolean anonymous = text.startsWith("_GLOBAL_")
                && text.length() > 9
                && (text.charAt(8) == '_' || text.charAt(8) == '$')
                && text.charAt(9) == 'N';
        return anonymous ? "(anonymous namespace)" : text;
    }

    private String unnamed() throws Unknown {
        if (skip("Ut")) {
            return "{unnamed type#" + ordinal() + "}";
        }
        expect("Ul");
        boolean outer = lambda;
        lambda = true;
        String parameters = parameters();
        lambda = outer;
        expect(END);
        return "{lambda" + parameters + "#" + ordinal() + "}";
    }

    /** {@code _} is 1, {@code 0_} is 2. */
    private int ordinal() throws Unknown {
        int ordinal = ahead('_') ? 1 : number() + 2;
        expect("_");
        return ordinal;
    }

    private String qualifiers() {
        boolean restrict = skip("r");
        boolean changing = skip("V");
        boolean constant = skip("K");
        return (constant ? " const" : "") + (changing ? " volatile" : "") + (restrict ? " restrict" : "");
    }

    private Type type() throws Unknown {
        deeper();
        int first = at;
        char c = peek();
        boolean kept = true;
        Type read;
        if (c == 'r' || c == 'V' || c == 'K') {
            read = qualified();
        } else if (c == 'P' || c == 'R' || c == 'O') {
            at++;
            read = pointer(type(), c == 'P' ? "*" : c == 'R' ? "&" : "&&");
        } else if (c == 'F') {
            read = function();
        } else if (c == 'A') {
            read = array();
        } else if (c == 'M') {
            read = memberPointer();
        } else if (c == 'T') {
            read = parameter();
        } else if (c == 'S' && peek(1) != 't') {
            read = substitution();
            kept = ahead('I');
            if (kept) {
                read = Type.plain(templated(new Name(read.text(), "?", false, ""), false).text);
            }
        } else if (c == 'D') {
            return special();
        } else if (c == 'u') {
            at++;
            read = Type.plain(source());
        } else if (BUILTIN.containsKey(c)) {
            at++;
            read = Type.plain(BUILTIN.getOrDefault(c, ""));
            kept = false;
        } else if (c == 'N' || c == 'Z' || Character.isDigit(c) || c == 'S') {
            List<Type> outer = arguments;
            Name named = name(false);
            arguments = outer;
            read = Type.plain(named.text + named.qualifiers);
        } else {
            throw new Unknown();
        }
        if (at == first) {
            throw new Unknown();
        }
        paid(read.left);
        paid(read.right);
        if (kept) {
            seen.add(read);
        }
        depth--;
        return read;
    }

    private Type qualified() throws Unknown {
        String qualifiers = qualifiers();
        Type of = type();
        noPack(of);
        if (of.shape == Shape.FUNCTION) {
            return new Type(of.left, of.right + qualifiers, of.shape, null);
        }
        boolean has = of.left.endsWith(qualifiers) || of.left.endsWith("&");
        return new Type(has ? of.left : of.left + qualifiers, of.right, of.shape, null);
    }

    private Type function() throws Unknown {
        at++;
        skip("Y");
        Type returned = type();
        if (returned.shape != Shape.PLAIN) {
            throw new Unknown();
        }
        Type read = new Type(returned.left + " ", parameters() + returned.right, Shape.FUNCTION, null);
        expect(END);
        return read;
    }

    private Type array() throws Unknown {
        at++;
        String length = Character.isDigit(peek()) ? Integer.toString(number()) : "";
        expect("_");
        Type of = type();
        noPack(of);
        if (of.shape == Shape.FUNCTION) {
            throw new Unknown();
        }
        return new Type(of.left, " [" + length + "]" + of.right.stripLeading(), Shape.ARRAY, null);
    }

    private Type memberPointer() throws Unknown {
        at++;
        String owner = type().text();
        Type of = type();
        return of.shape == Shape.PLAIN && of.right.isEmpty()
                ? Type.plain(of.left + " " + owner + "::*")
                : pointer(of, owner + "::*");
    }

    private static void noPack(Type type) throws Unknown {
        if (type.pack != null) {
            throw new Unknown();
        }
    }

    private static Type pointer(Type to, String sign) throws Unknown {
        noPack(to);
        if (to.shape != Shape.PLAIN) {
            String space = to.left.endsWith(" ") ? "" : " ";
            return new Type(to.left + space + "(" + sign, ")" + to.right, Shape.PLAIN, null);
        }
        if (sign.startsWith("&") && to.left.endsWith("&")) {
            String one = to.left.endsWith("&&") ? to.left.substring(0, to.left.length() - 1) : to.left;
            return new Type(sign.equals("&") ? one : to.left, to.right, to.shape, null);
        }
        return new Type(to.left + sign, to.right, to.shape, null);
    }

    /** Types that begin with D; of these, packs and vectors are candidates for substitution. */
    private Type special() throws Unknown {
        String two = at + 2 <= name.length() ? name.substring(at, at + 2) : "";
        at += 2;
        Type read;
        if (two.equals("Dp")) {
            read = expansion();
        } else if (two.equals("Dv")) {
            int length = number();
            expect("_");
            Type of = type();
            noPack(of);
            read = Type.plain(of.text() + " __vector(" + length + ")");
            seen.add(read);
        } else if (two.equals("DF") && skip("16b")) {
            read = Type.plain("std::bfloat16_t");
        } else if (two.equals("DF") && skip("16_")) {
            read = Type.plain("_Float16");
        } else if (TWO_LETTERS.containsKey(two)) {
            read = Type.plain(TWO_LETTERS.getOrDefault(two, ""));
        } else {
            throw new Unknown();
        }
        depth--;
        return read;
    }

    /** The pattern of an expansion is read once for each type of its pack. */
    private Type expansion() throws Unknown {
        if (packIndex >= 0) {
            throw new Unknown();
        }
        int pattern = at;
        int first = seen.size();
        List<Type> types = new ArrayList<>();
        List<List<Type>> parts = new ArrayList<>();
        int size = 1;
        for (int i = 0; i < size; i++) {
            at = pattern;
            while (seen.size() > first) {
                seen.removeLast();
            }
            packIndex = i;
            packSize = -1;
            Type one = type();
            if (packSize < 0) {
                throw new Unknown();
            }
            size = packSize;
            if (size > 0) {
                types.add(one);
            }
            for (int k = first; k < seen.size() && size > 0; k++) {
                if (i == 0) {
                    parts.add(new ArrayList<>());
                }
                Type part = seen.get(k);
                if (part == null || k - first >= parts.size()) {
                    throw new Unknown();
                }
                parts.get(k - first).add(part);
            }
        }
        packIndex = -1;
        for (int k = first; k < seen.size(); k++) { // what is repeated stands for as many types as the pack has
            seen.set(k, new Type("", "", Shape.PLAIN, size == 0 ? List.of() : parts.get(k - first)));
        }
        Type read = new Type("", "", Shape.PLAIN, types);
        seen.add(null);
        return read;
    }

    private Type parameter() throws Unknown {
        expect("T");
        int place = ordinal() - 1;
        if (lambda) {
            return Type.plain("auto:" + (place + 1));
        }
        if (place >= arguments.size()) {
            throw new Unknown();
        }
        return element(arguments.get(place));
    }

    /** The type whose turn it is where a pack is repeated; any other type itself. */
    private Type element(Type read) throws Unknown {
        if (read.pack == null) {
            return read;
        }
        if (packIndex < 0) {
            throw new Unknown();
        }
        packSize = read.pack.size();
        return packIndex < packSize ? read.pack.get(packIndex) : Type.plain("");
    }

    private Type substitution() throws Unknown {
        expect("S");
        String standard = STANDARD.get(peek());
        if (standard != null) {
            at++;
            return Type.plain(standard);
        }
        int place = 0;
        if (!ahead('_')) {
            while (!ahead('_')) {
                char c = peek();
                boolean digit = c >= '0' && c <= '9';
                if (!digit && (c < 'A' || c > 'Z') || place > name.length()) {
                    throw new Unknown();
                }
                place = place * 36 + (digit ? c - '0' : c - 'A' + 10);
                at++;
            }
            place++;
        }
        expect("_");
        Type known = place < seen.size() ? seen.get(place) : null;
        if (known == null) {
            throw new Unknown();
        }
        paid(known.left);
        paid(known.right);
        return element(known);
    }

    private List<Type> templateArguments() throws Unknown {
        deeper();
        expect("I");
        List<Type> types = new ArrayList<>();
        while (!skip(END)) {
            types.add(templateArgument());
        }
        depth--;
        return types;
    }

    private Type templateArgument() throws Unknown {
        deeper();
        Type read;
        if (skip("J")) {
            List<Type> types = new ArrayList<>();
            while (!skip(END)) {
                types.add(templateArgument());
            }
            read = new Type("", "", Shape.PLAIN, types);
        } else if (skip("XadL_Z")) {
            String function = encoding(true);
            read = Type.plain(
                    function.endsWith("()")
                            ? "&" + function.substring(0, function.length() - 2)
                            : "&(" + function + ")");
            expect("EE");
        } else if (skip("L")) {
            read = Type.plain(constant());
        } else {
            read = type();
        }
        depth--;
        return read;
    }

    private String constant() throws Unknown {
        char kind = peek();
        Type of = type();
        noPack(of);
        boolean negative = skip("n");
        int first = at;
        while (peek() != 'E') {
            char c = peek();
            if (!Character.isDigit(c) && (c < 'a' || c > 'f')) {
                throw new Unknown();
            }
            at++;
        }
        String value = (negative ? "-" : "") + name.substring(first, at);
        expect(END);
        if (value.isEmpty() || value.equals("-")) {
            throw new Unknown();
        }
        if (kind == 'b' && (value.equals("0") || value.equals("1"))) {
            return value.equals("1") ? "true" : "false";
        }
        String suffix = SUFFIXES.get(kind);
        if (suffix != null) {
            return value + suffix;
        }
        return "(" + of.text() + ")" + ("fde".indexOf(kind) >= 0 ? "[" + value + "]" : value);
    }

    private int number() throws Unknown {
        int first = at;
        long value = 0;
        while (at < name.length() && name.charAt(at) >= '0' && name.charAt(at) <= '9') {
            value = value * 10 + name.charAt(at) - '0';
            if (value > Integer.MAX_VALUE / 2) {
                throw new Unknown();
            }
            at++;
        }
        if (at == first) {
            throw new Unknown();
        }
        return (int) value;
    }

    private void deeper() throws Unknown {
        if (++depth > DEEPEST || --budget < 0) {
            throw new Unknown();
        }
    }

    private String paid(String text) throws Unknown {
        budget -= text.length();
        if (budget < 0) {
            throw new Unknown();
        }
        return text;
    }

    private char peek() throws Unknown {
        return peek(0);
    }

    private char peek(int further) throws Unknown {
        if (at + further >= name.length()) {
            throw new Unknown();
        }
        return name.charAt(at + further);
    }

    private boolean ahead(char c) {
        return at < name.length() && name.charAt(at) == c;
    }

    private boolean skip(String word) {
        boolean found = name.startsWith(word, at);
        at += found ? word.length() : 0;
        return found;
    }

    private void expect(String word) throws Unknown {
        if (!skip(word)) {
            throw new Unknown();
        }
    }
}
