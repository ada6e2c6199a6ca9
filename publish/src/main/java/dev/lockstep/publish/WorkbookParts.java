// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a workbook (ECMA-376, part 2): a zip archive in which relations say what is what. The texts that sheets share are
 * kept while it is open. Confined to one thread.
 */
final class WorkbookParts implements Closeable {
    /** Where a sheet ends, as it says itself. */
    private static final Pattern EXTENT = Pattern.compile("[A-Z]+\\d+:[A-Z]+(\\d{1,9})");

    private final ZipFile zip;
    private final Map<String, String> sheets = new LinkedHashMap<>();
    private final List<String> shared = new ArrayList<>();

    WorkbookParts(Path file) throws IOException {
        zip = new ZipFile(file.toFile());
        try {
            String workbook = "xl/workbook.xml";
            for (Relation relation : relations("").values()) {
                workbook = relation.type.endsWith("/officeDocument") ? relation.target : workbook;
            }
            Map<String, Relation> relations = relations(workbook);
            try (WorkbookXml xml = part(workbook)) {
                while (xml.next("sheet"::equals)) {
                    Relation relation = relations.get(String.valueOf(xml.attribute("id")));
                    String name = xml.attribute("name");
                    if (name != null && relation != null && relation.type.endsWith("/worksheet")) {
                        sheets.putIfAbsent(name, relation.target);
                    }
                }
            }
            for (Relation relation : relations.values()) {
                if (relation.type.endsWith("/sharedStrings")) {
                    readShared(relation.target);
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            zip.close();
            throw e;
        }
    }

    /** Names of sheets in their order. */
    List<String> names() {
        return List.copyOf(sheets.keySet());
    }

    /** The XML of a sheet. */
    WorkbookXml sheet(String name) throws IOException {
        String part = sheets.get(name);
        if (part == null) {
            throw new IllegalArgumentException("no sheet " + name);
        }
        return part(part);
    }

    /** The last row of a sheet as it says itself; 0 where it does not. */
    int lastRow(String name) {
        try (WorkbookXml xml = sheet(name)) {
            boolean said = xml.next(element -> element.equals("dimension") || element.equals("sheetData"));
            Matcher extent = EXTENT.matcher(said && xml.name().equals("dimension") ? "" + xml.attribute("ref") : "");
            return extent.matches() ? Integer.parseInt(extent.group(1)) : 0;
        } catch (IOException e) {
            return 0; // whoever reads the rows says so
        }
    }

    /** The text of a cell that holds a number among the shared texts; null where there is none such. */
    @Nullable
    String shared(int number) {
        return number >= 0 && number < shared.size() ? shared.get(number) : null;
    }

    /** Text of an item: of its own or of its runs, without what says how it is pronounced. */
    static String text(WorkbookXml xml) throws IOException {
        int outer = xml.depth();
        StringBuilder text = new StringBuilder();
        int spoken = Integer.MAX_VALUE;
        while (xml.nextWithin(outer)) {
            spoken = xml.depth() <= spoken ? Integer.MAX_VALUE : spoken;
            if (xml.name().equals("rPh")) {
                spoken = xml.depth();
            } else if (xml.name().equals("t") && spoken == Integer.MAX_VALUE) {
                xml.text(text);
            }
        }
        return SheetText.unescaped(text.toString());
    }

    private void readShared(String target) throws IOException {
        try (WorkbookXml xml = part(target)) {
            while (xml.next("si"::equals)) {
                shared.add(text(xml));
            }
        }
    }

    private record Relation(String type, String target) {}

    /** What a part names by numbers of its own; of the archive for the empty name. */
    private Map<String, Relation> relations(String part) throws IOException {
        int slash = part.lastIndexOf('/') + 1;
        String folder = part.substring(0, slash);
        Map<String, Relation> relations = new HashMap<>();
        if (zip.getEntry(folder + "_rels/" + part.substring(slash) + ".rels") == null) {
            return relations;
        }
        try (WorkbookXml xml = part(folder + "_rels/" + part.substring(slash) + ".rels")) {
            while (xml.next("Relationship"::equals)) {
                String target = xml.attribute("Target");
                if (target != null && !"External".equals(xml.attribute("TargetMode"))) {
                    String path = target.startsWith("/")
                            ? target.substring(1)
                            : Path.of("/" + folder)
                                    .resolve(target)
                                    .normalize()
                                    .toString()
                                    .substring(1);
                    relations.put(
                            String.valueOf(xml.attribute("Id")),
                            new Relation(String.valueOf(xml.attribute("Type")), path));
                }
            }
        }
        return relations;
    }

    private WorkbookXml part(String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            throw new FileNotFoundException("it has no part " + name);
        }
        InputStream in = zip.getInputStream(entry);
        try {
            return new WorkbookXml(in);
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
