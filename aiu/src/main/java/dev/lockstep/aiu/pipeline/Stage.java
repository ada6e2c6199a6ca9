// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

/** A step of the pipeline. It is confined to one thread; two stages may share an object that both were made with. */
public interface Stage {
    /** Takes the events that leave a stage. */
    @FunctionalInterface
    interface Next {
        void accept(AiuEvent event);
    }

    /** The stage's identifier in profiles. */
    String name();

    /** Takes one event and hands on none, it, or others. */
    void accept(AiuEvent event, Next next);

    /** The end of the stream; what was held back is handed on. */
    default void drain(Next next) {}

    /** Says what is to be said about the whole stream; called once, after {@link #drain}. */
    default void finish(AiuLog log) {}
}
