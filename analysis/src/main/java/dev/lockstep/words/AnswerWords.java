// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.words;

import dev.lockstep.report.Answer;
import java.util.ArrayList;
import java.util.List;

/** The actions of an answer in lines, as every place that shows them says them. */
public final class AnswerWords {
    /** Actions that are shown where there is little room. */
    public static final int SHOWN = 3;

    private AnswerWords() {}

    /**
     * One line.
     *
     * @param number from 1; empty for what all give together
     * @param text what to do
     * @param gain what it saves of a step, or of the trace where steps are unknown: {@code -45.0 ms}
     * @param share the same as a part of it: {@code -35 %}
     * @param snippet what does it; may be empty
     * @param assumption under which the gain is expected; empty for what all give together
     * @param range the least and the most of the share; empty where it is one number
     */
    public record Line(
            String number, String text, String gain, String share, String snippet, String assumption, String range) {}

    /** The first actions, and what all together give where there are several. */
    public static List<Line> lines(Answer answer) {
        List<Line> lines = new ArrayList<>();
        for (Answer.Action action :
                answer.actions().subList(0, Math.min(SHOWN, answer.actions().size()))) {
            lines.add(new Line(
                    Integer.toString(lines.size() + 1),
                    action.text(),
                    perStep(answer, action.gainNs()),
                    share(action.gainNs(), action.ofNs()),
                    action.snippet(),
                    action.assumption(),
                    range(action)));
        }
        int all = answer.actions().size();
        if (all > 1 && answer.togetherNs() >= 0) {
            String text = all > SHOWN ? "All " + all + " together" : "Together";
            lines.add(new Line(
                    "",
                    text,
                    perStep(answer, answer.togetherNs()),
                    share(answer.togetherNs(), answer.verdict().ofNs()),
                    "",
                    "",
                    ""));
        }
        return lines;
    }

    private static String range(Answer.Action action) {
        return action.lowNs() == action.highNs()
                ? ""
                : share(action.lowNs(), action.ofNs()) + " to " + share(action.highNs(), action.ofNs());
    }

    private static String perStep(Answer answer, long gain) {
        return signed(gain, Words.time(Math.abs(gain / Math.max(1, answer.steps()))));
    }

    private static String share(long gain, long of) {
        return signed(gain, Words.share(Math.abs(gain), of));
    }

    private static String signed(long gain, String size) {
        return (gain < 0 ? "+" : "-") + size;
    }
}
