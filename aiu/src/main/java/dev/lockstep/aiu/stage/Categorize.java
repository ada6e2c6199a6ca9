// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.Job;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.HashMap;
import java.util.Map;

/**
 * {@code event_categorizer} and {@code event_categorizer_update}: every complete event gets its class. Data that moves
 * between the first and the last kernel of a job belongs to a protocol and not to its inputs and outputs.
 */
final class Categorize {
    private static final String BANDWIDTH = "memory bandwidth (GB/s)";
    private static final AiuName COUNTER = new AiuName("TransferBW");
    private static final double SIGNAL_BYTES = 128;
    private static final String SIGNAL_TEXT = "128";

    private static final class Span {
        double first = Double.POSITIVE_INFINITY;
        double last = Double.NEGATIVE_INFINITY;
    }

    private final AiuRules rules;
    private final Map<Job, Span> kernels = new HashMap<>();
    private final EventClasses classes = new EventClasses();
    private long flexEvents;

    Categorize(AiuRules rules) {
        this.rules = rules;
    }

    Stage collect() {
        return new Stage() {
            @Override
            public String name() {
                return "event_categorizer";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                if (event.isComplete()) {
                    event.kind = classes.of(event);
                    note(event);
                }
                next.accept(event);
            }
        };
    }

    Stage update() {
        return new Stage() {
            @Override
            public String name() {
                return "event_categorizer_update";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                if (event.isComplete()) {
                    refine(event);
                }
                next.accept(event);
                if (event.isComplete() && event.args != null) {
                    countBandwidth(event, next);
                }
            }

            @Override
            public void finish(AiuLog log) {
                if (rules.labels().classMismatches() && flexEvents > 0) {
                    log.warn(
                            "CAT: Found " + flexEvents + " categorization mismatches compared to FLEX src classifier.");
                }
            }
        };
    }

    private void note(AiuEvent event) {
        Job job = event.job;
        if (job == null || event.isTorch()) {
            return;
        }
        flexEvents++;
        if (event.device != null && EventClasses.isKernel(event)) {
            Span span = kernels.computeIfAbsent(job, key -> new Span());
            span.first = Math.min(span.first, event.ts);
            span.last = Math.max(span.last, event.ts);
        }
    }

    private void refine(AiuEvent event) {
        String kind = event.kind;
        if (kind == null || event.device == null || event.job == null || event.isTorch()) {
            return;
        }
        boolean out = kind.equals(EventClasses.OUT);
        if (!out && !kind.equals(EventClasses.IN)) {
            return;
        }
        Span span = kernels.get(event.job);
        if (span != null && span.first < event.ts && event.ts < span.last) {
            boolean signal = event.args != null && bytes(event.args) == SIGNAL_BYTES;
            if (signal) {
                event.kind = out ? "MAIU_PROTOCOL_SIGNAL_DATA" : "MAIU_PROTOCOL_SIGNAL_ACK";
            } else {
                event.kind = out ? EventClasses.SEND : EventClasses.RECEIVE;
            }
        }
    }

    private double bytes(Args args) {
        String text = !rules.transfers().haveSizes() ? null : args.text("bytes");
        if (text != null) {
            return text.strip().equals(SIGNAL_TEXT) ? SIGNAL_BYTES : Double.NaN;
        }
        return args.number("bytes");
    }

    private static void countBandwidth(AiuEvent event, Stage.Next next) {
        String kind = event.kind;
        Args args = event.args;
        if (kind == null || args == null || !isTransfer(kind)) {
            return;
        }
        double bandwidth = args.number(BANDWIDTH);
        if (bandwidth > 0) {
            next.accept(AiuEvent.counter(COUNTER, event.ts, event.pid, null, Args.of("GB/s", bandwidth)));
            next.accept(AiuEvent.counter(COUNTER, event.end(), event.pid, null, Args.of("GB/s", 0.0)));
        }
    }

    private static boolean isTransfer(String kind) {
        return kind.equals(EventClasses.IN)
                || kind.equals(EventClasses.OUT)
                || kind.equals(EventClasses.SEND)
                || kind.equals(EventClasses.RECEIVE);
    }
}
