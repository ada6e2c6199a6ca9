// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A finished report that was made from nothing, as a comparison reads it. A workbook of it uses whatever the format allows: texts
 * that are shared, in runs, in the cell or the result of a formula, numbers with exponents, cells without places.
 *
 * @param parts of the timeline, in ns: they are apart from each other
 * @param operators by name
 * @param kernels by name
 */
record MadeReport(Map<String, Long> parts, Map<String, Item> operators, Map<String, Item> kernels) {
    private static final List<String> OPERATORS =
            List.of("aten::mm", "aten::add", "op <a & b>", "a \"b\", c", "\u00fcber::op", " blank ", "_x0041_");
    private static final List<String> KERNELS = List.of(
            "gemm",
            "void f<int, (char)3>(int*, float const&)",
            "sum",
            "\u6838",
            "k\u00a0k",
            "1e3",
            "TRUE",
            "=1+1",
            "(anonymous namespace)::k(int, Type)",
            "(anonymous namespace)::k(int, type)",
            "[Unknown]");

    /** How often something ran and how long that took. */
    record Item(long count, long ns) {}

    /** A sheet: its heads, then rows; cells are texts or numbers. */
    private record Sheet(String name, List<List<Object>> rows) {}

    static MadeReport of(RandomGenerator random) {
        Map<String, Long> parts = new LinkedHashMap<>();
        for (String part : List.of("computation_time", "exposed_comm_time", "exposed_memcpy_time", "idle_time")) {
            parts.put(part, random.nextInt(4) == 0 ? 0 : random.nextLong(1, 50_000_000_000L));
        }
        return new MadeReport(parts, items(random, OPERATORS), items(random, KERNELS));
    }

    private static Map<String, Item> items(RandomGenerator random, List<String> names) {
        Map<String, Item> items = new TreeMap<>();
        for (String name : names) {
            if (random.nextInt(3) > 0) {
                items.put(name, new Item(random.nextLong(1, 100_000), random.nextLong(1, 9_000_000_000L)));
            }
        }
        items.put("always", new Item(1 + random.nextInt(9), 1 + random.nextLong(1_000_000)));
        return items;
    }

    long total() {
        return parts.values().stream().mapToLong(Long::longValue).sum();
    }

    private List<Sheet> sheets(RandomGenerator random) {
        long busy = total() - parts.get("idle_time");
        Map<String, Long> all = new LinkedHashMap<>(parts);
        all.put("busy_time", busy);
        all.put("total_time", total());
        all.put("total_comm_time", parts.get("exposed_comm_time"));
        all.put("total_memcpy_time", parts.get("exposed_memcpy_time"));
        List<List<Object>> timeline = new ArrayList<>();
        timeline.add(List.of("type", "time ms", "percent"));
        all.forEach((part, ns) -> timeline.add(List.of(part, number(ns, 6), number(1, 0))));
        return List.of(
                new Sheet("gpu_timeline", timeline),
                new Sheet("ops_summary", items(random, operators, "name", "total_direct_kernel_time_ms", 6, "Count")),
                new Sheet(
                        "kernel_summary",
                        items(
                                random,
                                kernels,
                                "Kernel name",
                                "Kernel duration (µs)_sum",
                                3,
                                "Kernel duration (µs)_count")));
    }

    /** Columns and rows in any order, some columns of no meaning among them. */
    private static List<List<Object>> items(
            RandomGenerator random, Map<String, Item> items, String name, String time, int digits, String count) {
        List<String> columns = new ArrayList<>(List.of(name, time, count, "of no use", "note"));
        Collections.shuffle(columns, random);
        List<List<Object>> rows = new ArrayList<>();
        items.forEach((key, item) -> {
            Map<String, Object> cells = Map.of(
                    name,
                    key,
                    time,
                    number(item.ns, digits),
                    count,
                    number(item.count, 0),
                    "note",
                    "",
                    "of no use",
                    number(7, 1));
            rows.add(columns.stream().map(cells::get).toList());
        });
        Collections.shuffle(rows, random);
        rows.addFirst(List.copyOf(columns));
        return rows;
    }

    private static BigDecimal number(long of, int digits) {
        return BigDecimal.valueOf(of, digits);
    }

    /** As a folder of CSV. */
    Path csv(RandomGenerator random, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Sheet sheet : sheets(random)) {
            StringBuilder text = new StringBuilder();
            for (List<Object> row : sheet.rows) {
                text.append(String.join(",", row.stream().map(MadeReport::csv).toList()))
                        .append('\n');
            }
            Files.writeString(folder.resolve(sheet.name + ".csv"), text);
        }
        return folder;
    }

    private static String csv(Object cell) {
        if (cell instanceof BigDecimal number) {
            return number.toPlainString();
        }
        return '"' + cell.toString().replace("\"", "\"\"") + '"';
    }

    /** As a folder of Parquet. */
    Path parquet(RandomGenerator random, Path folder) throws IOException {
        Files.createDirectories(folder);
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            for (Sheet sheet : sheets(random)) {
                MadeTable.of(sheet.rows).write(statement, random, folder.resolve(sheet.name + ".parquet"));
            }
        } catch (SQLException e) {
            throw new IOException(e);
        }
        return folder;
    }

    /** As a workbook. */
    Path workbook(RandomGenerator random, Path file) throws IOException {
        List<Sheet> sheets = new ArrayList<>(sheets(random));
        sheets.add(new Sheet("notes", List.of(List.of("a", "b"), List.of("", number(1, 0)))));
        Collections.shuffle(sheets, random);
        Shared shared = new Shared();
        String prefix = random.nextInt(3) == 0 ? "x:" : "";
        String space = " xmlns" + (prefix.isEmpty() ? "" : ":x")
                + "=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"";
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            StringBuilder names = new StringBuilder();
            StringBuilder relations = new StringBuilder();
            StringBuilder types = new StringBuilder();
            for (int i = 0; i < sheets.size(); i++) {
                String part = "worksheets/part" + (i * 7 % 11) + ".xml";
                String id = "r" + (sheets.size() - i);
                names.append("<" + prefix + "sheet name=\"" + sheets.get(i).name + "\" sheetId=\"" + (i + 3)
                        + "\" r:id=\"" + id + "\"/>");
                relations.append(relation(id, "worksheet", random.nextBoolean() ? part : "/xl/" + part));
                types.append(type("/xl/" + part, "worksheet"));
                put(zip, "xl/" + part, sheet(random, sheets.get(i), shared, prefix, space));
            }
            relations.append(relation("s1", "sharedStrings", "sharedStrings.xml"));
            put(
                    zip,
                    "xl/workbook.xml",
                    "<" + prefix + "workbook" + space
                            + " xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><"
                            + prefix + "sheets>" + names + "</" + prefix + "sheets></" + prefix + "workbook>");
            put(zip, "xl/_rels/workbook.xml.rels", relations(relations.toString()));
            put(zip, "xl/sharedStrings.xml", shared.text(random, prefix, space));
            put(zip, "_rels/.rels", relations(relation("w", "officeDocument", "xl/workbook.xml")));
            put(
                    zip,
                    "[Content_Types].xml",
                    "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default"
                            + " Extension=\"rels\""
                            + " ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default"
                            + " Extension=\"xml\" ContentType=\"application/xml\"/>"
                            + type("/xl/workbook.xml", "sheet.main") + type("/xl/sharedStrings.xml", "sharedStrings")
                            + types + "</Types>");
        }
        return file;
    }

    private static String type(String part, String what) {
        return "<Override PartName=\"" + part
                + "\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml." + what + "+xml\"/>";
    }

    private static String relation(String id, String type, String target) {
        return "<Relationship Id=\"" + id
                + "\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/" + type
                + "\" Target=\"" + target + "\"/>";
    }

    private static String relations(String of) {
        return "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">" + of
                + "</Relationships>";
    }

    private static void put(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n" + text).getBytes(UTF_8));
        zip.closeEntry();
    }

    private static String sheet(RandomGenerator random, Sheet sheet, Shared shared, String prefix, String space) {
        StringBuilder text = new StringBuilder("<" + prefix + "worksheet" + space + "><" + prefix + "sheetData>");
        for (int i = 0; i < sheet.rows.size(); i++) {
            boolean placed = random.nextInt(4) > 0;
            text.append("<" + prefix + "row" + (placed ? " r=\"" + (i + 1) + "\"" : "") + ">");
            List<Object> row = sheet.rows.get(i);
            for (int j = 0; j < row.size(); j++) {
                String place = placed ? " r=\"" + (char) ('A' + j) + (i + 1) + "\"" : "";
                text.append(cell(random, row.get(j), place, shared)
                        .replace("<c", "<" + prefix + "c")
                        .replace("</c", "</" + prefix + "c")
                        .replaceAll("<(/?)(v|f|is|t|r)(?=[ >])", "<$1" + prefix + "$2"));
            }
            text.append("</" + prefix + "row>");
        }
        return text + "</" + prefix + "sheetData></" + prefix + "worksheet>";
    }

    private static String cell(RandomGenerator random, Object value, String place, Shared shared) {
        if (value instanceof BigDecimal number) {
            String plain = number.toPlainString();
            String spelled = random.nextInt(4) == 0 ? number.unscaledValue() + "E-" + number.scale() : plain;
            return "<c" + place + (random.nextBoolean() ? " t=\"n\"" : "") + "><v>" + spelled + "</v></c>";
        }
        String text = value.toString();
        if (text.isEmpty()) {
            return place.isEmpty() || random.nextBoolean() ? "<c" + place + "/>" : "";
        }
        return switch (random.nextInt(4)) {
            case 0 -> "<c" + place + " t=\"inlineStr\"><is>" + Shared.item(random, text) + "</is></c>";
            case 1 -> "<c" + place + " t=\"str\"><f>A1</f><v>" + escaped(text) + "</v></c>";
            default -> "<c" + place + " t=\"s\"><v>" + shared.number(text) + "</v></c>";
        };
    }

    /** As XML and the format have it: what looks like their own escapes is escaped. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("_x0041_", "_x005F_x0041_");
    }

    /** Texts that cells share, each once or several times. */
    private static final class Shared {
        private final List<String> texts = new ArrayList<>(List.of("of no cell"));

        private int number(String text) {
            texts.add(text);
            return texts.size() - 1;
        }

        private String text(RandomGenerator random, String prefix, String space) {
            StringBuilder items = new StringBuilder("<sst" + space + ">");
            texts.forEach(
                    text -> items.append("<si>").append(item(random, text)).append("</si>"));
            return (items + "</sst>").replaceAll("<(/?)(sst|si|rPh|t|r)(?=[ >])", "<$1" + prefix + "$2");
        }

        /** Whole, or in two runs with a reading aid behind. */
        private static String item(RandomGenerator random, String text) {
            if (random.nextInt(3) > 0 || text.contains("_x")) {
                return "<t xml:space=\"preserve\">" + escaped(text) + "</t>";
            }
            int cut = text.length() / 2;
            return "<r><t xml:space=\"preserve\">" + escaped(text.substring(0, cut))
                    + "</t></r><r><t xml:space=\"preserve\">" + escaped(text.substring(cut))
                    + "</t></r><rPh sb=\"0\" eb=\"1\"><t>aid</t></rPh>";
        }
    }
}
