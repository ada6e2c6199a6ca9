// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.analyze.time.IdleAccount.Where;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceGaps;
import dev.lockstep.derive.HostNesting;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;

/** Goes through the idle time, gap by gap, with that before and behind all activity, and books what filled it. */
final class IdleWalk implements IdleSweep.Sink {
    private final Slices slices;
    private final LaunchLinks links;
    private final HostCauses causes;
    private final IdleSweep sweep;
    private final IdleLedger ledger;

    /** The gap that is divided: its start, the activity before and behind it; and whether its first piece is awaited. */
    private long from;

    private int last;
    private int next;
    private boolean begins;

    IdleWalk(DerivedCache cache, IdleAccount.Key key, StepWindows windows, DeviceGaps gaps) {
        slices = cache.trace().slices();
        links = cache.get(new LaunchLinks.Key(key.rules().links()));
        causes = new HostCauses(cache, key.rules().links(), key.annotation(), key.frames());
        sweep = new IdleSweep(cache, key.rules(), causes);
        ledger = new IdleLedger(cache.trace(), cache.get(new HostNesting.Key()), causes, windows, gaps.size());
        if (gaps.first() >= 0) {
            all(windows, gaps);
        }
    }

    /** What was booked. */
    IdleLedger booked() {
        return ledger;
    }

    private void all(StepWindows windows, DeviceGaps gaps) {
        if (windows.start(0) < gaps.spanStart()) {
            divide(Where.BEFORE, windows.start(0), gaps.spanStart(), -1, gaps.first());
        }
        for (int gap = 0; gap < gaps.size(); gap++) {
            divide(Where.BETWEEN, gaps.start(gap), gaps.end(gap), gaps.last(gap), gaps.next(gap));
        }
        if (windows.end(windows.size() - 1) > gaps.spanEnd()) {
            divide(Where.BEHIND, gaps.spanEnd(), windows.end(windows.size() - 1), gaps.furthest(), -1);
        }
    }

    private void divide(Where where, long start, long end, int before, int behind) {
        from = start;
        last = before;
        next = behind;
        begins = true;
        ledger.gap(where, start, end, behind);
        sweep.divide(start, end, before, behind, this);
        ledger.close();
    }

    @Override
    public void piece(int owner, long start, long end) {
        if (begins) {
            begins = false;
            int call = emptiedBy(owner);
            if (call >= 0) {
                ledger.emptiedBy(call, from - slices.ts(call));
            }
        }
        ledger.piece(owner, start, end);
    }

    /** The call in which the host waited when the device ran dry, if it launched what came next only afterwards; or -1. */
    private int emptiedBy(int owner) {
        int launch = next < 0 ? -1 : links.launchOf(next);
        if (owner < 0
                || last < 0
                || launch < 0
                || slices.ts(launch) < from
                || !slices.kind(owner).isLaunchCall()) {
            return -1;
        }
        int call = causes.outermostCall(owner);
        boolean waits = causes.mayWait(owner)
                || causes.mayWait(call)
                || links.launchOf(last) == call && slices.kind(last) == SliceKind.MEMCPY;
        return waits && slices.ts(call) < from ? call : -1;
    }
}
