// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.nccl.WorkerResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the schedules of all ranks, and lays down what tags look like before anything is written; {@link ScheduleWriter}
 * writes them.
 */
public final class GoalGenerator {
    private final List<RankSchedule> ranks;
    private final TagFormat format;

    private GoalGenerator(List<RankSchedule> ranks, TagFormat format) {
        this.ranks = List.copyOf(ranks);
        this.format = format;
    }

    /**
     * Prepares schedules.
     *
     * @param ranks how many there are
     * @param wanted digits of tags; null for what is needed
     * @param budget what the operations of all ranks are taken from
     * @throws UserException when tags have no room for what they have to hold, or when there are more operations than
     *     may be
     */
    public static GoalGenerator prepare(
            int ranks, ScheduleStyle style, @Nullable TagFormat wanted, OperationBudget budget, ExecutorService workers)
            throws IOException {
        List<Future<RankSchedule>> waiting = new ArrayList<>();
        for (int i = 0; i < ranks; i++) {
            int rank = i;
            waiting.add(workers.submit(() -> style.rank(rank, budget)));
        }
        List<RankSchedule> prepared = new ArrayList<>();
        TagNeeds needs = TagNeeds.NONE;
        for (Future<RankSchedule> rank : waiting) {
            prepared.add(WorkerResult.of(rank));
            needs = needs.and(prepared.getLast().needs());
        }
        return new GoalGenerator(prepared, format(needs, wanted));
    }

    /** The ranks in their order. */
    public List<RankSchedule> ranks() {
        return ranks;
    }

    public TagFormat format() {
        return format;
    }

    private static TagFormat format(TagNeeds needs, @Nullable TagFormat wanted) {
        int number = TagFormat.digits(needs.number());
        int label = needs.label() == 0 ? 0 : TagFormat.digits(needs.label());
        if (wanted == null) {
            TagFormat fitting = new TagFormat(number, label);
            if (fitting.tag(needs.number(), needs.label()) > TagFormat.LARGEST) {
                throw new UserException(
                                ErrorCode.OPTION_INVALID,
                                "tags have 32 bits, but there are " + (needs.number() + 1) + " " + needs.where()
                                        + " with one label, and labels up to " + needs.label(),
                                "Give an expression with smaller labels, as in \"(…) % 100\", or none.")
                        .about("label");
            }
            return fitting;
        }
        if (number > wanted.numberDigits() || label > wanted.labelDigits()) {
            throw new UserException(
                            ErrorCode.OPTION_INVALID,
                            "tags with " + wanted.numberDigits() + " digits for numbers and " + wanted.labelDigits()
                                    + " for labels have no room: there are " + (needs.number() + 1) + " "
                                    + needs.where()
                                    + " with one label, and labels up to " + needs.label(),
                            "They need " + number + " and " + label
                                    + (number + label > 9
                                            ? "; 32 bits hold 9 digits, so that labels have to be smaller."
                                            : "."))
                    .about("tag width", number + "," + label);
        }
        long largest = wanted.tag(needs.number(), needs.label());
        if (wanted.numberDigits() + wanted.labelDigits() > 18 || largest > TagFormat.LARGEST) {
            throw new UserException(
                            ErrorCode.OPTION_INVALID,
                            "tags have 32 bits, but the largest would be " + largest,
                            "Give labels fewer digits, or smaller values.")
                    .about("tag width");
        }
        return wanted;
    }
}
