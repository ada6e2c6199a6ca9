// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.error.NamedFiles;
import dev.lockstep.publish.figures.RunFigures.Chapter;
import dev.lockstep.publish.page.PageWriter;
import dev.lockstep.report.ComparedRuns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The pictures of configurations side by side, and the page that shows them. */
public final class RunPictures {
    private final ComparedRuns runs;
    private final RunLook look;
    private final List<Chapter> chapters;
    private final Map<String, byte[]> drawn;

    private RunPictures(ComparedRuns runs, RunLook look) {
        this.runs = runs;
        this.look = look;
        this.chapters = runs.runs().size() == 2 ? RunFigures.ofTwo(runs, look) : RunFigures.ofAll(runs, look);
        List<Figure> figures =
                chapters.stream().flatMap(c -> c.figures().stream()).toList();
        this.drawn = FigureFiles.drawn(figures);
    }

    /** The pictures of runs that are compared. */
    public static RunPictures of(ComparedRuns runs, RunLook look) {
        return new RunPictures(runs, look);
    }

    /** Writes the pictures into a folder, which exists. */
    public void write(Path folder) throws IOException {
        for (Map.Entry<String, byte[]> picture : drawn.entrySet()) {
            NamedFiles.write(folder.resolve(picture.getKey()), picture.getValue());
        }
    }

    /** Writes the page, with the pictures inside. */
    public void writePage(Path file) throws IOException {
        String html = PageWriter.html(RunPage.of(runs, look, chapters, drawn));
        NamedFiles.write(file, html);
    }
}
