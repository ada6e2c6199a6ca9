// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.util.List;

/**
 * A chain of stages. Every event runs through it before the next one does. At the end of the input the stages are
 * drained from front to back, and what one of them held back runs through those behind it.
 */
public final class StageChain {
    private static final class Link implements Stage.Next {
        private final Stage stage;
        private final Stage.Next next;

        Link(Stage stage, Stage.Next next) {
            this.stage = stage;
            this.next = next;
        }

        @Override
        public void accept(AiuEvent event) {
            stage.accept(event, next);
        }
    }

    /** Below this nobody minds what is dead. */
    private static final long FEW_BYTES = 256L << 20;

    private final Link[] links;
    private final Stage.Next first;

    /** @param last takes what leaves the last stage */
    public StageChain(List<Stage> stages, Stage.Next last) {
        links = new Link[stages.size()];
        Stage.Next next = last;
        for (int i = links.length - 1; i >= 0; i--) {
            links[i] = new Link(stages.get(i), next);
            next = links[i];
        }
        first = next;
    }

    public void accept(AiuEvent event) {
        first.accept(event);
    }

    /** Drains all stages. What died since is collected before, where that is much: else the heap would grow beside it. */
    public void finish(AiuLog log) {
        long lived = FEW_BYTES;
        for (Link link : links) {
            if (used() > lived + lived / 4) {
                System.gc();
                lived = Math.max(FEW_BYTES, used());
            }
            link.stage.drain(link.next);
            link.stage.finish(log);
        }
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
