// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.pipeline.AiuEvent;
import java.io.IOException;

/** Takes the events of the result in their order; closing it completes what it writes. */
public interface TraceSink extends AutoCloseable {
    void add(AiuEvent event);

    @Override
    void close() throws IOException;
}
