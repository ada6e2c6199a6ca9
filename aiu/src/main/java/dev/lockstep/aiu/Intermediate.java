// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu;

import dev.lockstep.aiu.output.TraceJson;
import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Writes down all events that pass between two stages. */
final class Intermediate implements Stage {
    private @Nullable TraceJson trace;

    Intermediate(TraceJson trace) {
        this.trace = trace;
    }

    @Override
    public String name() {
        return "intermediate";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (trace != null) {
            trace.add(event);
        }
        next.accept(event);
    }

    @Override
    public void drain(Next next) {
        if (trace != null) {
            try {
                trace.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            trace = null;
        }
    }
}
