// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.tabular;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Sheets that have a file each, named {@code <sheet>.<ending>}: in a folder, in a folder named after the ending within it, or one
 * such file alone.
 *
 * @param ending without a dot, in small letters
 */
public record SheetFiles(String ending) {
    /**
     * {@return the files of the sheets, in order of their names; none where there are none}
     *
     * @param path a folder or a file
     * @throws IOException when a folder cannot be listed
     */
    public List<Path> of(Path path) throws IOException {
        if (Files.isRegularFile(path)) {
            return isOne(path) ? List.of(path) : List.of();
        }
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        List<Path> direct = listed(path);
        Path inner = path.resolve(ending);
        return direct.isEmpty() && Files.isDirectory(inner) ? listed(inner) : direct;
    }

    /** {@return the name of the sheet that a file holds} */
    public String sheet(Path file) {
        String name = fileName(file);
        return name.substring(0, name.length() - ending.length() - 1);
    }

    private List<Path> listed(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> isOne(file) && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        }
    }

    private boolean isOne(Path file) {
        return fileName(file).toLowerCase(Locale.ROOT).endsWith("." + ending);
    }

    private static String fileName(Path file) {
        return String.valueOf(file.getFileName());
    }
}
