// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds secrets in texts: by the names before them ({@code api_key=…}, {@code --token …}, {@code "password": "…"}), by their
 * place in an address, or by their shape. Rather hides too much than too little.
 *
 * <p>Confined to one thread; remembers what it hid.
 */
public final class Secrets {
    /** Stands for what is hidden. */
    public static final String MASK = "***";

    /** What a name may hold that has nothing to do with secrets. */
    private static final Pattern HARMLESS_WORDS = Pattern.compile(
            "(?:xdg|desktop|dbus)_session|session_manager|tokeni[sz](?:ation|ers?|ed?|es|ing)|author(?!i)|keyboard|keyframe"
                    + "|keypoint|keyword|keynote|(?<!com)monkey|(?:by|com)pass(?!w)");

    private static final Pattern SPEAKING = Pattern.compile("key|token|secret|passw|pass[-_. ]?(?:phrase|code|wd)|pwd"
            + "|auth|jwt|cred|private|cookie|session|bearer|signature|webhook|conn(?:ection)?[-_. ]?str");

    /** Words that speak of secrets only where they stand alone, between marks or the ends of a name. */
    private static final Pattern SPEAKING_WORDS =
            Pattern.compile("(?:.*[^a-z])?(?:pat|pass|pw|dsn|sig|sas|otp|pin|salt|mfa|csrf|xsrf|sid)(?:[^a-z].*)?"
                    + "|.*(?:dsn|pass|pat(?<=_pat|-pat))");

    /** Where words begin that only their first letter sets apart. */
    private static final Pattern CAMEL = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

    /** Where numbers count something: {@code max_tokens}, {@code num_key_value_heads}, {@code pad_token_id}. */
    private static final Pattern COUNTING = Pattern.compile(
            "(?:.*[^a-z])?(?:num|max|min|n|count|total|size|len|length|dim|heads|id|ids|per|timeout|tokens|keys|sessions)"
                    + "(?:[^a-z].*)?");

    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]{1,9}(?:\\.[0-9]{1,9})?");
    private static final Pattern NO_SECRET = Pattern.compile("(?i)|true|false|none|null|yes|no|on|off|auto");

    /** The user's part of an address, also where it has no scheme; what begins as keys of well-known services do. */
    private static final Pattern BY_SHAPE =
            Pattern.compile("(?<=://)[^\\s/?#\"'<>@]{1,4096}(?:@[^\\s/?#\"'<>@]{1,256})?(?=@)"
                    + "|(?<![\\w./:-])[\\w.+-]{1,64}:[^\\s@/:\"',]{3,256}(?=@[\\w.-])"
                    + "|(?<=hooks\\.slack\\.com/services/)[\\w/]{1,256}"
                    + "|(?<![A-Za-z0-9])(?:hf_(?=[A-Za-z0-9]{0,256}[A-Z])[A-Za-z0-9]{12,256}|gh[oprsu]_\\w{16,256}|github_pat_\\w{8,256}|glpat-[\\w-]{8,256}"
                    + "|sk-[\\w-]{16,256}|xox[a-z]-[\\w-]{8,256}|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\\w-]{30,64}|eyJ[\\w-]{8,4096}\\.[\\w-]{4,4096}(?:\\.[\\w-]{0,4096})?)|(?<=(?i:bearer)"
                    + " )[\\w.~+/=-]{8,4096}");

    private static final int LONGEST_NAME = 256;
    private static final int LONGEST_SPEAKING = 1024;
    private static final int MOST_JUDGED = 1000;
    private static final String KEY_BLOCK = "PRIVATE KEY-----";
    private static final Pattern SCHEMES = Pattern.compile("(?i)(basic|bearer|token|digest|negotiate|apikey) ");

    private final Set<String> found = new LinkedHashSet<>();
    private final Map<String, Boolean> judged = new HashMap<>(); // the same few names come again and again

    /** Whether a variable, option or key of this name may hold a secret; those that are longer than any name may. */
    public static boolean isSecretName(String name) {
        if (name.length() > LONGEST_SPEAKING) {
            return true;
        }
        String words = lower(name);
        if (SPEAKING.matcher(words).find() || SPEAKING_WORDS.matcher(words).matches()) {
            return true;
        }
        String parted = CAMEL.matcher(name).replaceAll("_");
        return !parted.equals(name) && SPEAKING_WORDS.matcher(lower(parted)).matches();
    }

    private static String lower(String name) {
        return HARMLESS_WORDS.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("");
    }

    /** Whether a value of this name is to be hidden: switches and counts are not, whatever they are called. */
    public boolean isSecret(String name, String value) {
        if (judged.size() == MOST_JUDGED) {
            judged.clear();
        }
        return judged.computeIfAbsent(name, Secrets::isSecretName)
                && !NO_SECRET.matcher(value).matches()
                && !(NUMBER.matcher(value).matches()
                        && COUNTING.matcher(name.toLowerCase(Locale.ROOT)).matches());
    }

    /** What was hidden so far, in the order in which it was found. */
    public Set<String> found() {
        return Set.copyOf(found);
    }

    /** The value of this name, hidden if the name or the value says that it is secret. */
    public String value(String name, String value) {
        return isSecret(name, value) ? hidden(value) : text(value);
    }

    /** The words of a command line, among them options whose values are words of their own. */
    public List<String> words(List<String> words) {
        List<String> masked = new ArrayList<>();
        String option = "";
        for (String word : words) {
            masked.add(word(option, word));
            option = word;
        }
        return masked;
    }

    /** A word of a command line behind another one, which may be an option. */
    String word(String before, String word) {
        boolean follows = before.startsWith("-") && before.indexOf('=') < 0 && !isOption(word, 0);
        if (follows && isSecret(before, word)) {
            return hidden(word);
        }
        if (follows && (before.equals("-u") || before.equals("--user")) && word.indexOf(':') > 0) {
            return hidden(word);
        }
        int end = nameEnd(word, 0);
        if (end > 0 && end < word.length() && (word.charAt(end) == '=' || word.charAt(end) == ':')) {
            int value = end + 1;
            while (value < word.length() && word.charAt(value) == ' ') {
                value++;
            }
            boolean compared = word.startsWith("==", end) || word.startsWith("//", value);
            if (!compared && isSecret(word.substring(0, end), word.substring(value))) {
                return word.substring(0, value) + hidden(word.substring(value));
            }
        }
        return text(word);
    }

    /** Whether a word looks like an option: two dashes, or one with a letter alone. A value may begin with a dash, too. */
    private static boolean isOption(String text, int at) {
        return text.startsWith("-", at)
                && (text.startsWith("--", at) || at + 2 >= text.length() || !isOfName(text.charAt(at + 2)));
    }

    /** A text, with what is secret in it hidden. Takes time in proportion to its length. */
    public String text(String text) {
        String shaped = BY_SHAPE.matcher(keyBlocks(text)).replaceAll(match -> hidden(match.group()));
        StringBuilder out = null;
        int copied = 0;
        for (int at = 0; at < shaped.length(); ) {
            int end = nameEnd(shaped, at);
            if (end == at) {
                at++;
                continue;
            }
            String name = shaped.substring(Math.max(at, end - LONGEST_NAME), end);
            int value = valueStart(shaped, at, end);
            int valueEnd = value < 0 || !isSecretName(name) ? -1 : valueEnd(shaped, value);
            if (valueEnd > value && isSecret(name, shaped.substring(value, valueEnd))) {
                out = out == null ? new StringBuilder() : out;
                out.append(shaped, copied, value).append(hidden(shaped.substring(value, valueEnd)));
                copied = valueEnd;
                at = valueEnd;
            } else {
                at = end;
            }
        }
        return out == null
                ? shaped
                : out.append(shaped, copied, shaped.length()).toString();
    }

    private String hidden(String value) {
        if (!value.equals(MASK)) {
            found.add(value);
        }
        return MASK;
    }

    private String keyBlocks(String text) {
        int begin = text.indexOf(KEY_BLOCK);
        if (begin < 0) {
            return text;
        }
        int end = text.lastIndexOf(KEY_BLOCK);
        int from = begin + KEY_BLOCK.length();
        int to = end > begin ? end : text.length();
        return text.substring(0, from) + hidden(text.substring(from, to)) + text.substring(to);
    }

    /** Where a name ends that begins here; here where none does. */
    private static int nameEnd(String text, int from) {
        int at = from;
        while (at < text.length() && isOfName(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isOfName(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '.' || c == '+' || c == '$';
    }

    /** Where the value of a name begins, -1 where it has none: behind a sign, or behind a blank if it is an option. */
    private static int valueStart(String text, int name, int nameEnd) {
        int at = nameEnd;
        while (at < text.length() && (text.charAt(at) == '"' || text.charAt(at) == '\'' || text.charAt(at) == '\\')) {
            at++;
        }
        at = blanks(text, at);
        if (at >= text.length()) {
            return -1;
        }
        char sign = text.charAt(at);
        boolean assigned = sign == '=' || sign == ':' && !text.startsWith("://", at);
        if (assigned) {
            at++;
            if (at < text.length() && text.charAt(at) == '=' && sign == '=') {
                return -1; // a comparison, as in versions
            }
            if (at < text.length() && (text.charAt(at) == '=' || text.charAt(at) == '>')) {
                at++;
            }
        } else if (text.charAt(name) != '-' || at == nameEnd || isOption(text, at)) {
            return -1;
        }
        at = blanks(text, at);
        while (at < text.length() && (text.charAt(at) == '"' || text.charAt(at) == '\'' || text.charAt(at) == '\\')) {
            at++;
        }
        return at < text.length() ? at : -1;
    }

    private static int blanks(String text, int from) {
        int at = from;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    /**
     * Where a value ends: at the quote that it began with, at the bracket that closes it, or at a blank. What an address or a
     * list has behind it goes with it.
     */
    private static int valueEnd(String text, int from) {
        char first = text.charAt(from);
        char before = text.charAt(from - 1);
        if (before == '"' || before == '\'') {
            return quoteEnd(text, from, before);
        }
        int at = from;
        if (first == '{' || first == '[') {
            int depth = 0;
            do {
                char c = text.charAt(at++);
                depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            } while (depth > 0 && at < text.length());
            return at;
        }
        if (SCHEMES.matcher(text).region(from, text.length()).lookingAt()) {
            at = text.indexOf(' ', from) + 1;
        }
        while (at < text.length() && !Character.isWhitespace(text.charAt(at)) && "\"'".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    /** Where a text in quotes ends; quotes that are themselves in a quoted text are escaped, and so are their ends. */
    private static int quoteEnd(String text, int from, char quote) {
        if (from > 1 && text.charAt(from - 2) == '\\') {
            int end = text.indexOf("\\" + quote, from);
            return end < 0 ? text.length() : end;
        }
        int at = from;
        while (at < text.length() && text.charAt(at) != quote) {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at, text.length());
    }
}
