// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.parser.ParserException;

/**
 * Files that users write by hand, YAML or JSON, and what they may ask for: {@value #MOST_BYTES} bytes, values
 * {@value #DEEPEST} deep, {@value #MOST_VALUES} values with those that aliases repeat, none of which holds itself.
 */
public final class SettingsFile {
    static final int MOST_BYTES = NamedFiles.MOST_SETTINGS;
    static final int DEEPEST = 100;
    static final int MOST_VALUES = 100_000;

    private SettingsFile() {}

    /**
     * The file's content.
     *
     * @param hint about the option that names it, or null
     * @throws UserException if it is not there, cannot be read or is too long
     */
    public static byte[] bytes(Path file, @Nullable String hint) {
        try {
            return NamedFiles.settingsBytes(file);
        } catch (TraceFormatException e) {
            throw new UserException(e.code(), String.valueOf(e.getMessage()), e.hint() == null ? hint : e.hint(), e);
        } catch (IOException e) {
            throw new UserException(ErrorCode.INPUT_NOT_FOUND, "cannot read " + file + ": " + e.getMessage(), hint, e);
        }
    }

    /**
     * The content as text.
     *
     * @throws UserException if it is not UTF-8
     */
    public static String text(Path file, byte[] bytes) {
        try {
            return NamedFiles.text(file, bytes);
        } catch (TraceFormatException e) {
            throw new UserException(e.code(), String.valueOf(e.getMessage()), e.hint(), e);
        }
    }

    /**
     * The value that YAML, of which JSON is a part, describes: maps, lists, texts, numbers, truths, null.
     *
     * @param file what messages call it
     * @param code of the failure
     * @param hint what to write instead, or null
     * @throws UserException if it is neither, or asks for more than settings may
     */
    public static @Nullable Object yaml(String file, String text, ErrorCode code, @Nullable String hint) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowRecursiveKeys(false);
        options.setMaxAliasesForCollections(MOST_VALUES);
        options.setNestingDepthLimit(DEEPEST);
        options.setCodePointLimit(MOST_BYTES);
        options.setWarnOnDuplicateKeys(false);
        String neither = file + " is neither YAML nor JSON: ";
        try {
            Node document = new Yaml(options).compose(new StringReader(text));
            if (document != null) {
                new Budget().visit(document);
            }
            return new Yaml(new SafeConstructor(options)).load(text);
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            String line = mark == null ? "" : "line " + (mark.getLine() + 1) + ": ";
            throw new UserException(code, neither + line + e.getProblem(), hint, e);
        } catch (YAMLException e) {
            throw new UserException(code, neither + e.getMessage(), hint, e);
        } catch (RuntimeException e) { // of the library, on escapes and on values that are not what their tags say
            throw new UserException(code, neither + "an escape or a value that is not what its tag says", hint, e);
        }
    }

    /** Counts values as often as they are used. */
    private static final class Budget {
        private final Set<Node> around = Collections.newSetFromMap(new IdentityHashMap<>());
        private int values;

        void visit(Node node) {
            if (++values > MOST_VALUES) {
                throw new YAMLException("more than " + MOST_VALUES + " values, with those that aliases repeat");
            }
            if (!around.add(node)) {
                throw new ParserException(null, null, "a value that holds itself, by an alias", node.getStartMark());
            }
            if (around.size() > DEEPEST) {
                throw new YAMLException("values are more than " + DEEPEST + " deep");
            }
            if (node instanceof MappingNode map) {
                for (NodeTuple member : map.getValue()) {
                    visit(member.getKeyNode());
                    visit(member.getValueNode());
                }
            } else if (node instanceof SequenceNode list) {
                list.getValue().forEach(this::visit);
            }
            around.remove(node);
        }
    }
}
