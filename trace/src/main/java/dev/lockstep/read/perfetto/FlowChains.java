// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static dev.lockstep.codec.PerfettoFormat.FLOW_OF_PATH;

import dev.lockstep.model.RecordedText;
import dev.lockstep.model.Recorder;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Flow numbers of slices, and the arrows they make: slices with one number form a chain in the order of their times,
 * until one ends it.
 */
final class FlowChains {
    /** In files of this program, the lower bits are the id, those above the category. */
    private static final int ID_BITS = 48;

    private static final String LAUNCH = "ac2g";

    /** From here on, numbers of arrows are of what waited for what. */
    private static final long FIRST_WAIT = 1L << 40;

    private final LongList ids = new LongList(16);
    private final IntList slices = new IntList(16);
    private final IntList ends = new IntList(16);
    /** Pairs: a slice, and one that waited for it. */
    private final IntList waits = new IntList(4);
    /** Pairs: a call, and a slice that it launched. */
    private final IntList launches = new IntList(4);

    /** Adds that a slice, or a call of the host, waited for the end of another slice: an arrow of the kind with which PyTorch's profiler writes that down. */
    void wait(int on, int slice) {
        waits.add(on);
        waits.add(slice);
    }

    /** Adds that a call launched what a slice tells of. */
    void launch(int call, int slice) {
        launches.add(call);
        launches.add(slice);
    }

    void add(Event e, int slice) {
        for (int i = 0; i < e.flows.size(); i++) {
            add(e.flows.get(i), slice, 0);
        }
        for (int i = 0; i < e.flowEnds.size(); i++) {
            add(e.flowEnds.get(i), slice, 1);
        }
    }

    private void add(long id, int slice, int end) {
        ids.add(id);
        slices.add(slice);
        ends.add(end);
    }

    /** Hands all arrows that have two ends at least to the builder. */
    void build(TraceBuilder builder, @Nullable OwnFacts facts) {
        int[] order = new int[ids.size()];
        long[] keys = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            keys[i] = builder.start(slices.get(i));
        }
        LongOrder.sort(keys, order);
        for (int i = 0; i < order.length; i++) {
            keys[i] = ids.get(order[i]);
        }
        LongOrder.sort(keys, order);
        Arrow arrow = new Arrow(builder, facts);
        IntList chain = new IntList(4);
        for (int i = 0; i < order.length; i++) {
            int flow = order[i];
            if (i > 0 && keys[i] != keys[i - 1]) {
                arrow.write(keys[i - 1], chain);
            }
            if (facts != null && (keys[i] & FLOW_OF_PATH) == FLOW_OF_PATH) {
                continue; // drawn, not recorded; it may lead to another rank
            }
            if (builder.duration(slices.get(flow)) >= 0) {
                chain.add(slices.get(flow));
            }
            if (ends.get(flow) == 1 || i == order.length - 1) {
                arrow.write(keys[i], chain);
            }
        }
        for (int i = 0; i < launches.size(); i += 2) {
            boolean again = i > 0 && launches.get(i - 2) == launches.get(i);
            arrow.launch(launches.get(i), launches.get(i + 1), !again);
        }
        for (int i = 0; i < waits.size(); i += 2) {
            arrow.wait(FIRST_WAIT + i / 2, waits.get(i), waits.get(i + 1));
        }
    }

    /** Writes chains. */
    private static final class Arrow {
        private final TraceBuilder builder;
        private final @Nullable OwnFacts facts;

        private Arrow(TraceBuilder builder, @Nullable OwnFacts facts) {
            this.builder = builder;
            this.facts = facts;
        }

        private void write(long id, IntList chain) {
            int last = chain.size() - 1;
            if (last > 0) {
                boolean fromDevice = onDevice(chain.get(0));
                boolean toDevice = onDevice(chain.get(last));
                int category = category(id, fromDevice != toDevice);
                long number = facts != null && known(id) ? facts.recordedId(id & (1L << ID_BITS) - 1) : id;
                boolean wait = facts != null && known(id) && number >= FIRST_WAIT;
                // Clocks of host and device may disagree; the host is still where an arrow to what it launched starts.
                boolean turned = fromDevice && !toDevice && !wait;
                boolean launch = fromDevice != toDevice && !wait;
                for (int i = 0; i <= last; i++) {
                    boolean start = i == (turned ? last : 0);
                    boolean end = i == (turned ? 0 : last) || launch && onDevice(chain.get(i));
                    end(number, start ? 's' : end ? 'f' : 't', chain.get(i), category);
                }
            }
            chain.clear();
        }

        private void launch(int call, int slice, boolean starts) {
            int category = builder.strings().intern(LAUNCH);
            if (starts) {
                end(builder.correlation(call), 's', call, category);
            }
            end(builder.correlation(call), 'f', slice, category);
        }

        private void wait(long number, int on, int slice) {
            int category = builder.strings().intern(LAUNCH);
            end(number, 's', on, category);
            end(number, 'f', slice, category);
        }

        /** What waited did so for the end of the first. */
        private long moment(char phase, int slice, int category) {
            boolean fromDevice = phase == 's'
                    && builder.kind(slice).isOnDevice()
                    && category >= 0
                    && builder.strings().get(category).equals(LAUNCH);
            return builder.start(slice) + (fromDevice ? builder.duration(slice) : 0);
        }

        private void end(long number, char phase, int slice, int category) {
            builder.flow(number, phase, moment(phase, slice, category), builder.trackOf(slice), category);
            Recorder recorder = builder.recorder();
            if (recorder != null) {
                RecordedText text = new RecordedText();
                if (phase == 'f') {
                    text.field("bp", "\"e\"".getBytes(StandardCharsets.US_ASCII), 0, 3);
                }
                recorder.flow(category < 0 ? builder.strings().intern("flow") : category, text, builder.index(slice));
            }
        }

        private boolean known(long id) {
            return facts != null && facts.knowsArrow((int) (id >>> ID_BITS));
        }

        private int category(long id, boolean launch) {
            if (facts != null && known(id)) {
                String text = facts.arrow((int) (id >>> ID_BITS));
                return text == null ? -1 : builder.strings().intern(text);
            }
            return launch ? builder.strings().intern(LAUNCH) : -1;
        }

        private boolean onDevice(int slice) {
            return builder.kind(slice).isDeviceActivity();
        }
    }
}
