// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.analyze.LaunchedWork;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust.Reason;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code unread_events}: something was passed over that may hold what the trace seems to lack. */
final class UnreadEvents implements Doubt {
    @Override
    public @Nullable Reason of(DerivedCache cache) {
        LaunchedWork work = cache.get(new LaunchedWork.Key());
        List<PassedOver> passed = PassedOver.of(cache.trace());
        long count = passed.stream().mapToLong(one -> Math.max(0, one.count())).sum();
        long known = cache.trace().slices().size();
        boolean lacks = work.linked() + work.unlinked() == 0 || work.isMuchLost();
        boolean devices = passed.stream().anyMatch(PassedOver::isOfDevices);
        if (passed.isEmpty() || !lacks && !devices) {
            return null;
        }
        boolean countless = lacks || passed.stream().anyMatch(one -> one.count() < 0);
        String unread = PassedOver.unread(passed);
        EnumSet<Topic> withheld = EnumSet.of(Topic.ABSENCE);
        if (devices) {
            withheld.addAll(EnumSet.of(Topic.IDLE, Topic.LAUNCHES, Topic.HOST, Topic.ACTIONS));
        }
        return new Reason(
                "unread_events",
                count,
                count + known,
                countless ? 1 : (double) count / (count + known),
                ((unread.isEmpty() ? "" : "Not read: " + unread + ". What seems missing may be there.")
                                + PassedOver.said(passed))
                        .strip(),
                withheld,
                "");
    }
}
