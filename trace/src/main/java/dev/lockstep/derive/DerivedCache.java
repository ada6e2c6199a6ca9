// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Trace;
import java.util.HashMap;
import java.util.Map;

/** The derived structures of one trace, each computed when first asked for. Confined to one thread. */
public final class DerivedCache {
    private final Trace trace;
    private final Map<Derived<?>, Object> results = new HashMap<>();

    public DerivedCache(Trace trace) {
        this.trace = trace;
    }

    /** The structures of a trace as far as its times can be true: activities end where {@link Overruns} says. */
    public static DerivedCache believing(Trace trace) {
        DerivedCache recorded = new DerivedCache(trace);
        Overruns overruns = recorded.get(new Overruns.Key());
        if (overruns.count() == 0) {
            return recorded;
        }
        DerivedCache cut = new DerivedCache(overruns.cut());
        cut.results.put(new Overruns.Key(), overruns);
        return cut;
    }

    /** The trace that all results belong to. */
    public Trace trace() {
        return trace;
    }

    /** The result of the function for this trace. */
    @SuppressWarnings("unchecked")
    public <T> T get(Derived<T> derived) {
        Object result = results.get(derived);
        if (result == null) {
            result = derived.derive(trace, this);
            results.put(derived, result);
        }
        return (T) result;
    }
}
