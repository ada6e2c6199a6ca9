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
     */
    public record Line(String number, String text, String gain, String share, String snippet) {}

    /** The first actions, and what all together give where there are several. */
    public static List<Line> lines(Answer answer) {
        List<Line> lines = new ArrayList<>();
        for (Answer.Action action :
                answer.actions().subList(0, Math.min(SHOWN, answer.actions().size()))) {
            lines.add(line(
                    answer,
                    Integer.toString(lines.size() + 1),
                    action.text(),
                    action.gainNs(),
                    action.ofNs(),
                    action.snippet()));
        }
        int all = answer.actions().size();
        if (all > 1 && answer.togetherNs() >= 0) {
            String text = all > SHOWN ? "All " + all + " together" : "Together";
            lines.add(
                    line(answer, "", text, answer.togetherNs(), answer.verdict().ofNs(), ""));
        }
        return lines;
    }

    /** The least and the most that an action gains, in percent; empty where its gain is one number. */
    public static String range(Answer.Action action) {
        return action.lowNs() == action.highNs()
                ? ""
                : signed(action.lowNs(), Words.percent(Math.abs(action.lowNs()), action.ofNs())) + " to "
                        + signed(action.highNs(), Words.percent(Math.abs(action.highNs()), action.ofNs()));
    }

    private static Line line(Answer answer, String number, String text, long gain, long of, String snippet) {
        long step = gain / Math.max(1, answer.steps());
        return new Line(
                number,
                text,
                signed(gain, Words.time(Math.abs(step))),
                signed(gain, Words.percent(Math.abs(gain), of)),
                snippet);
    }

    private static String signed(long gain, String size) {
        return (gain < 0 ? "+" : "-") + size;
    }
}
