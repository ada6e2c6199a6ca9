// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --json} writes is what {@code docs/reference/report.schema.json} says, and typed. */
class ReportSchemaTest {
    /** Stands for a null of JSON. */
    private static final Object NULL = new Object();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private Path run;
    private Map<?, ?> schema;

    @BeforeEach
    void prepare() throws IOException {
        run = folder.resolve("run");
        SyntheticRun.write(run, SyntheticTraces.smallRecipe(2), Layout.flat());
        schema = (Map<?, ?>) parsed(Documents.read("docs/reference/report.schema.json"));
    }

    private Map<?, ?> document(Object... command) throws IOException {
        Path to = Files.createTempDirectory(folder, "out").resolve("r.json");
        List<Object> line = new ArrayList<>(List.of(command));
        line.addAll(List.of("--json", to));
        assertThat(TestProgram.run(out, err, line.toArray()))
                .as(line + ": " + err)
                .isZero();
        return (Map<?, ?>) parsed(Files.readString(to));
    }

    private List<Map<?, ?>> documents() throws IOException {
        Path one = run.resolve("rank0_trace.json");
        Path two = run.resolve("rank1_trace.json");
        List<Map<?, ?>> all = new ArrayList<>(List.of(
                document("report", one, "--critical-path"), document("collectives", run), document("diff", one, two)));
        for (Path trace : List.of(one, two)) {
            assertThat(TestProgram.run(out, err, "report", trace, "--csv", trace + ".csv"))
                    .isZero();
        }
        all.add(document("compare", one + ".csv", two + ".csv"));
        return all;
    }

    @Test
    void documentsFollowTheSchema() throws IOException {
        for (Map<?, ?> document : documents()) {
            assertThat(flaws(schema, document, "$")).isEmpty();
        }
        Map<String, Object> wrong = new LinkedHashMap<>();
        document("collectives", run).forEach((key, value) -> wrong.put((String) key, value));
        wrong.put("facts", List.of(Map.of("label", new BigDecimal(1))));
        wrong.remove("tables");
        assertThat(flaws(schema, wrong, "$"))
                .contains("$: no tables", "$.facts[0]: no value", "$.facts[0].label: not of type string");
    }

    @Test
    void summariesFollowTheirs() throws IOException {
        schema = (Map<?, ?>) parsed(Documents.read("docs/reference/summary.schema.json"));
        for (Object input : List.of(run, run.resolve("rank0_trace.json"))) {
            Path to = folder.resolve("summary.json");
            assertThat(TestProgram.run(out, err, "report", input, "--json-summary", to, "--quiet"))
                    .isZero();
            Map<?, ?> summary = (Map<?, ?>) parsed(Files.readString(to));
            assertThat(flaws(schema, summary, "$")).isEmpty();
            assertThat(flaws(schema, Map.of("format", Map.of("name", "lockstep report")), "$"))
                    .contains("$.format.name: lockstep report", "$: no verdict");
        }
    }

    @Test
    void typesAreThoseOfTheNumbers() throws IOException {
        int fractions = 0;
        for (Map<?, ?> document : documents()) {
            for (Object table : (List<?>) document.get("tables")) {
                List<?> columns = (List<?>) ((Map<?, ?>) table).get("columns");
                for (Object row : (List<?>) ((Map<?, ?>) table).get("rows")) {
                    assertThat((List<?>) row).hasSameSizeAs(columns);
                    for (int i = 0; i < columns.size(); i++) {
                        Object cell = ((List<?>) row).get(i);
                        Map<?, ?> column = (Map<?, ?>) columns.get(i);
                        boolean fits = switch ((String) column.get("type")) {
                            case "long" -> cell.equals(NULL) || isWhole(cell);
                            case "double" -> cell.equals(NULL) || cell instanceof BigDecimal;
                            case "bool" -> cell instanceof Boolean;
                            case "string" -> cell.equals(NULL) || cell instanceof String;
                            default -> true;
                        };
                        assertThat(fits).as(column + ": " + cell).isTrue();
                        fractions += cell instanceof BigDecimal number && !isWhole(number) ? 1 : 0;
                    }
                }
            }
        }
        assertThat(fractions).isPositive();
    }

    @Test
    void findingsCarryTheRowsThatTheyRestOn() throws IOException {
        Map<?, ?> document = document("report", run.resolve("rank0_trace.json"));
        int typed = 0;
        for (Object finding : (List<?>) document.get("findings")) {
            for (Object one : (List<?>) ((Map<?, ?>) finding).get("evidence")) {
                Map<?, ?> evidence = (Map<?, ?>) one;
                if (evidence.get("first") instanceof Map<?, ?> first) {
                    typed += first.values().stream().anyMatch(BigDecimal.class::isInstance) ? 1 : 0;
                }
            }
        }
        assertThat(typed).isPositive();
        assertThat((List<?>) document.get("facts"))
                .anyMatch(fact -> ((Map<?, ?>) fact).get("number") instanceof BigDecimal);
    }

    /** Where a value is not what a schema says; of the words of JSON Schema, those that ours uses. */
    private List<String> flaws(Map<?, ?> rule, Object value, String where) {
        List<String> flaws = new ArrayList<>();
        if (rule.get("$ref") instanceof String reference) {
            Map<?, ?> definitions = (Map<?, ?>) schema.get("$defs");
            return flaws((Map<?, ?>) definitions.get(reference.replace("#/$defs/", "")), value, where);
        }
        if (rule.containsKey("const") && !rule.get("const").equals(value)
                || rule.get("enum") instanceof List<?> known && !known.contains(value)) {
            flaws.add(where + ": " + value);
        }
        if (rule.containsKey("type")) {
            List<?> types = rule.get("type") instanceof List<?> several ? several : List.of(rule.get("type"));
            if (types.stream().noneMatch(type -> isOf((String) type, value))) {
                flaws.add(where + ": not of type " + types.getFirst());
                return flaws;
            }
        }
        if (value instanceof Map<?, ?> object) {
            if (rule.get("required") instanceof List<?> needed) {
                needed.stream()
                        .filter(name -> !object.containsKey(name))
                        .forEach(name -> flaws.add(where + ": no " + name));
            }
            if (rule.get("properties") instanceof Map<?, ?> members) {
                object.forEach((name, member) -> {
                    if (members.get(name) instanceof Map<?, ?> of) {
                        flaws.addAll(flaws(of, member, where + "." + name));
                    }
                });
            }
        }
        if (value instanceof List<?> list && rule.get("items") instanceof Map<?, ?> items) {
            for (int i = 0; i < list.size(); i++) {
                flaws.addAll(flaws(items, list.get(i), where + "[" + i + "]"));
            }
        }
        return flaws;
    }

    private static boolean isOf(String type, Object value) {
        return switch (type) {
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String;
            case "number" -> value instanceof BigDecimal;
            case "integer" -> isWhole(value);
            case "boolean" -> value instanceof Boolean;
            case "null" -> value.equals(NULL);
            default -> throw new IllegalArgumentException(type);
        };
    }

    private static boolean isWhole(Object value) {
        return value instanceof BigDecimal number && number.stripTrailingZeros().scale() <= 0;
    }

    private static Object parsed(String json) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            return value(parser);
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, value(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_NULL -> NULL;
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_STRING -> new String(parser.getText().toCharArray());
            default -> parser.getDecimalValue();
        };
    }
}
