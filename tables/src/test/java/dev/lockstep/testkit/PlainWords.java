// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What sentences on a screen may be like: short, and in the words of the field. */
public final class PlainWords {
    private static final int MOST_WORDS = 20;

    /** What stands for a name, a list or a number in a text that was taken from a source. */
    public static final String BLANK = "X";

    private static final Pattern PHRASES = Pattern.compile(
            "given out|given back|told apart|told by|beside kernels|beside them|lie between|in the mean\\b|in the median\\b"
                    + "|comes? late\\b|no better than|that nothing hides|would be gained|graph of dependencies"
                    + "|what was there|sets? apart|\\brecordings?\\b|\\bthe host\\b|\\bof its span\\b|\\bsheets?\\b|;");

    /** A sentence ends with its mark and a blank, if another begins there. */
    private static final Pattern END = Pattern.compile("(?<=[.!?]) (?=[^a-z])");

    /** Shapes, and names with blanks in them, are one word. */
    private static final Pattern NAMES =
            Pattern.compile("\\[\\[[^;]*?(?:\\]|…)\\]|'[^']*'|<[^.]*>|\\((?:[a-z]\\w+(?:, )?)+\\*?\\)");

    private PlainWords() {}

    /** {@return what is wrong with a text, a line for each fault; nothing for a good one} */
    public static List<String> faults(String text) {
        List<String> faults = new ArrayList<>();
        String plain = NAMES.matcher(text).replaceAll(BLANK);
        Matcher phrase = PHRASES.matcher(plain);
        while (phrase.find()) {
            faults.add("'" + phrase.group() + "': " + text);
        }
        for (String sentence : END.split(plain)) {
            long words =
                    Pattern.compile("[^ ]*\\w[^ ]*").matcher(sentence).results().count();
            if (words > MOST_WORDS) {
                faults.add(words + " words: " + sentence);
            }
        }
        return faults;
    }
}
