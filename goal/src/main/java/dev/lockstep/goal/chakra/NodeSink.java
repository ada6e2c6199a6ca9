// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.chakra;

import java.io.IOException;

/** Takes the nodes of a rank, each behind those that it depends on. Closing ends the file. */
interface NodeSink extends AutoCloseable {
    void node(Node node) throws IOException;

    @Override
    void close() throws IOException;
}
