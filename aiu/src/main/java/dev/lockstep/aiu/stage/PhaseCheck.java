// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.Map;
import java.util.TreeMap;

/** {@code verify} and {@code verify_cleanup}: counts events by phase, and those of phases that are not known. */
final class PhaseCheck {
    private static final String KNOWN = "XBEbe";

    private final Map<Character, Long> phases = new TreeMap<>();
    private long failed;

    Stage check() {
        return new Stage() {
            @Override
            public String name() {
                return "verify";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                phases.merge(event.phase, 1L, Long::sum);
                if (KNOWN.indexOf(event.phase) < 0) {
                    failed++;
                }
                next.accept(event);
            }

            @Override
            public void finish(AiuLog log) {
                log.info("VRF: found types: " + phases);
                if (failed > 0) {
                    log.error("VRF: Encountered " + failed + " Events that failed verification");
                }
            }
        };
    }

    Stage drop() {
        return new Stage() {
            @Override
            public String name() {
                return "verify_cleanup";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                event.finished = true;
                next.accept(event);
            }
        };
    }
}
