// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.publish.plot.PictureWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pictures as files. */
public final class FigureFiles {
    private FigureFiles() {}

    /** Writes each figure into a folder, which exists; returns the content of the files by name. */
    public static Map<String, byte[]> write(List<Figure> figures, Path folder) throws IOException {
        Map<String, byte[]> written = drawn(figures);
        for (Map.Entry<String, byte[]> file : written.entrySet()) {
            NamedFiles.write(folder.resolve(file.getKey()), file.getValue());
        }
        return written;
    }

    /** The files by name, in the order of the figures. */
    public static Map<String, byte[]> drawn(List<Figure> figures) {
        Map<String, byte[]> drawn = new LinkedHashMap<>();
        for (Figure figure : figures) {
            drawn.put(figure.file(), PictureWriter.png(figure.picture()));
        }
        return drawn;
    }
}
