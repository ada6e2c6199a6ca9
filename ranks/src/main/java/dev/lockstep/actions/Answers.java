// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.path.Dependencies;
import dev.lockstep.path.ProposalGains;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Puts what bounds a recording, and what its changes gain, into words. */
public final class Answers {
    /** Places that an action leads to; the longest. */
    private static final int PLACES = 20;

    private Answers() {}

    /**
     * The answer for one rank; null where nothing of a device is known.
     *
     * @param actions what the dependencies were asked for
     */
    public static @Nullable Answer of(Actions actions, Dependencies.Result dependencies) {
        if (dependencies.notApplicable() != null || dependencies.proposals().of() <= 0) {
            return null;
        }
        ProposalGains gains = dependencies.proposals();
        List<Answer.Action> found = new ArrayList<>();
        for (ProposalGains.Row row : gains.rows()) {
            Offer offer = Objects.requireNonNull(actions.offers().get(row.id()));
            found.add(new Answer.Action(
                    row.id(),
                    row.gain(),
                    row.low(),
                    row.high(),
                    gains.of(),
                    offer.text(),
                    offer.snippet(),
                    "lockstep diff BEFORE AFTER",
                    offer.assumption(),
                    List.of(few(offer.evidence()))));
        }
        ActionTrace trace = actions.trace();
        return new Answer(
                Bound.of(trace, dependencies, found),
                found,
                gains.together(),
                trace.steps.steps().size());
    }

    private static Evidence few(Evidence evidence) {
        return evidence instanceof Evidence.Places(List<Evidence.Place> places, long count) && places.size() > PLACES
                ? new Evidence.Places(places.subList(0, PLACES), count)
                : evidence;
    }
}
