// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The questions of the how-to and of the notebook have answers, and the cells run where Python has the packages. */
class NotebookTest {
    private static final String HOW_TO = "docs/how-to/use-from-python.md";
    private static final String NOTEBOOK = "examples/notebook/dataset.ipynb";
    private static final Pattern QUERY = Pattern.compile("duckdb\\.sql\\(\"\"\"(.*?)\"\"\"\\)", Pattern.DOTALL);
    private static final int QUESTIONS = 10;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private Path data;

    @BeforeEach
    void writeDataset() throws IOException {
        Path run = folder.resolve("run");
        data = folder.resolve("data");
        SyntheticRun.write(run, SyntheticTraces.smallRecipe(3), Layout.flat());
        assertThat(TestProgram.run(out, err, "dataset", run, "-o", data, "--run", "one"))
                .isZero();
        assertThat(TestProgram.run(out, err, "dataset", run, "-o", data, "--run", "two"))
                .isZero();
    }

    @Test
    void everyQuestionOfTheHowToHasAnAnswer() throws IOException {
        List<String> queries = queries(Documents.read(HOW_TO));
        assertThat(queries).hasSize(QUESTIONS);
        for (int i = 0; i < QUESTIONS; i++) {
            assertThat(TestProgram.run(out, err, "sql", data, queries.get(i), "--csv"))
                    .as(queries.get(i) + err)
                    .isZero();
            // which operators cost more on the host is a question that may have no answer
            assertThat(out.toString().lines().count()).as(queries.get(i)).isGreaterThan(i == 5 ? 0 : 1);
        }
    }

    @Test
    void theNotebookAsksTheSameQuestions() throws IOException {
        List<String> queries = queries(String.join("\n", cells()));
        List<String> documented = queries(Documents.read(HOW_TO)).stream()
                .map(query -> query.replace("\n    ", "\n"))
                .toList();
        assertThat(queries).isEqualTo(documented);
    }

    @Test
    void cellsRunWherePythonHasThePackages() throws Exception {
        assumeTrue(
                python("import duckdb, pandas") == 0,
                "NOT RUN: Python has no duckdb and pandas, so the cells of the notebook were not run");
        assertThat(python(String.join("\n", cells()))).isZero();
    }

    private int python(String program) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("python3", "-c", program)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("python.log").toFile());
        builder.environment().put("LOCKSTEP_DATASET", data.toString());
        try {
            Process process = builder.start();
            if (!process.waitFor(2, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                return -1;
            }
            return process.exitValue();
        } catch (IOException e) {
            return -1; // there is no Python
        }
    }

    private static List<String> queries(String text) {
        List<String> queries = new ArrayList<>();
        Matcher matcher = QUERY.matcher(text);
        while (matcher.find()) {
            queries.add(matcher.group(1));
        }
        return queries;
    }

    /** The code of the notebook's cells. */
    private static List<String> cells() throws IOException {
        List<String> cells = new ArrayList<>();
        String type = "";
        try (JsonParser parser = new JsonFactory().createParser(Documents.read(NOTEBOOK))) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING && "cell_type".equals(parser.currentName())) {
                    type = parser.getText();
                } else if (token == JsonToken.START_ARRAY && "source".equals(parser.currentName())) {
                    StringBuilder source = new StringBuilder();
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        source.append(parser.getText());
                    }
                    if (type.equals("code")) {
                        cells.add(source.toString());
                    }
                }
            }
        }
        return cells;
    }
}
