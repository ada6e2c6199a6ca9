// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.KernelRules;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.NameTest;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells what single slices of the host are, from names by the rules of {@code idle-causes.txt}, and from what is linked to them. */
public final class CauseRules {
    /** The rules as they judge the names of a trace, each once. */
    public record Key(LaunchRule links) implements Derived<CauseRules> {
        @Override
        public CauseRules derive(Trace trace, DerivedCache cache) {
            return new CauseRules(trace, cache.get(new LaunchLinks.Key(links)));
        }
    }

    private record Rule(IdleCause cause, String kind, Pattern pattern) {
        private boolean covers(SliceKind sliceKind) {
            return switch (kind) {
                case "*" -> true;
                case "call" -> sliceKind.isLaunchCall();
                default -> kind.equals(sliceKind.name().toLowerCase(Locale.ROOT));
            };
        }
    }

    private static final byte UNKNOWN = 0;
    private static final byte NONE = 1;
    private static final byte FIRST = 2;
    private static final IdleCause[] CAUSES = IdleCause.values();

    /** What Nsight Systems' calls of the operating system have as their category. */
    private static final String SYSTEM_CALLS = "osrt";

    private static final Pattern STREAM_WAIT = Pattern.compile("(?i)wait");

    /** Calls that wait for devices, though that is not what they are for. */
    private static final Pattern IMPLICIT_WAIT = Pattern.compile(
            "(?:Free|MallocHost|HostAlloc|HostRegister|HostUnregister|MemAllocHost|EventDestroy|StreamDestroy|DeviceReset|ModuleUnload)(?!Async)");

    private final Trace trace;
    private final int systemCalls;

    /** Numbers of calls of which it was recorded that they waited for the device. */
    private final LongIntMap waits = new LongIntMap(16);

    /** Calls that launched device activity. */
    private final BitSet launches = new BitSet();

    private final List<Rule> rules = new ArrayList<>();

    private final NameTest implicitWaits;

    /** By kind, then name: whether a rule is known to match, and which cause it gives. */
    private final byte[][] known = new byte[SliceKind.values().length][];

    private CauseRules(Trace trace, LaunchLinks links) {
        this.trace = trace;
        implicitWaits = new NameTest(trace, IMPLICIT_WAIT);
        systemCalls = trace.strings().find(SYSTEM_CALLS);
        Slices slices = trace.slices();
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.DEVICE_SYNC && slices.correlation(i) > 0) {
                waits.put(slices.correlation(i), i);
            } else if (links.launchOf(i) >= 0) {
                launches.set(links.launchOf(i));
            }
        }
        for (String line : KernelRules.resource(
                        CauseRules.class.getResourceAsStream("/dev/lockstep/analyze/idle-causes.txt"))
                .split("\n")) {
            if (!line.isBlank() && !line.startsWith("#")) {
                List<String> parts = Arrays.asList(line.strip().split("\\s+", 3));
                rules.add(new Rule(IdleCause.valueOf(parts.get(0)), parts.get(1), Pattern.compile(parts.get(2))));
            }
        }
    }

    /** The cause that the name of this slice gives, or what was recorded of it; or null. */
    public @Nullable IdleCause named(int slice) {
        IdleCause byName = byName(slice);
        boolean open = byName == null || byName == IdleCause.LAUNCHING;
        if (!open || !trace.slices().kind(slice).isLaunchCall()) {
            return byName;
        }
        long correlation = trace.slices().correlation(slice);
        if (correlation > 0 && waits.get(correlation) >= 0) {
            return IdleCause.SYNCHRONISATION;
        }
        return launches.get(slice) ? IdleCause.LAUNCHING : byName;
    }

    private @Nullable IdleCause byName(int slice) {
        SliceKind kind = trace.slices().kind(slice);
        byte[] byName = known[kind.ordinal()];
        if (byName == null) {
            byName = new byte[trace.strings().size()];
            known[kind.ordinal()] = byName;
        }
        int name = trace.slices().name(slice);
        if (byName[name] == UNKNOWN) {
            byName[name] = judge(kind, trace.strings().get(name));
        }
        return byName[name] == NONE ? null : CAUSES[byName[name] - FIRST];
    }

    /** Whether a call may return only when devices have done something. */
    boolean mayWait(int call) {
        return named(call) == IdleCause.SYNCHRONISATION || implicitWaits.isMeant(call);
    }

    /** The cause that the kind of a slice gives, where no name does. */
    IdleCause ofKind(int slice) {
        return switch (trace.slices().kind(slice)) {
            case ANNOTATION -> IdleCause.ANNOTATION;
            case PYTHON -> IdleCause.PYTHON;
            case CPU_OP -> IdleCause.OPERATOR;
            case RUNTIME_CALL, DRIVER_CALL -> IdleCause.CALL;
            case OVERHEAD -> IdleCause.PROFILER;
            default ->
                systemCalls >= 0 && trace.slices().category(slice) == systemCalls ? IdleCause.OS_CALL : IdleCause.HOST;
        };
    }

    /** Whether a synchronisation of this name is a stream that waits, not a call of the host that does. */
    static boolean isStreamWait(String name) {
        return STREAM_WAIT.matcher(name).find();
    }

    private byte judge(SliceKind kind, String name) {
        for (Rule rule : rules) {
            if (rule.covers(kind) && rule.pattern.matcher(name).find()) {
                return (byte) (rule.cause.ordinal() + FIRST);
            }
        }
        return NONE;
    }
}
