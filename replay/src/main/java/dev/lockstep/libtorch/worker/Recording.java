// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import java.io.IOException;
import java.nio.file.Path;

/** Records a run. */
final class Recording {
    private final Path folder;

    Recording(Path folder) {
        this.folder = folder;
    }

    void run() throws IOException {
        throw new IOException("not yet: " + folder);
    }
}
