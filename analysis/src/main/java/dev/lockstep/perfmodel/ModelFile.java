// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.lockstep.codec.GivenPattern;
import dev.lockstep.codec.Json;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.Nearest;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads declarations of models. Every message names file, line, column and what was expected there. */
final class ModelFile {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final String GUIDE = "docs/how-to/add-an-op-model.md describes the format.";
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*");
    private static final Set<String> RESERVED = Set.of("if", "else", "and", "or", "not", "true", "false", "none");

    private final String source;
    private final JsonParser parser;
    private final Map<String, Declaration> templates;
    private final List<Declaration> read = new ArrayList<>();

    private ModelFile(String source, JsonParser parser, Map<String, Declaration> templates) {
        this.source = source;
        this.parser = parser;
        this.templates = templates;
    }

    /**
     * The declarations of a file, in its order.
     *
     * @param templates declarations by the name that others take them over by; those of the file are added
     * @throws UserException if the file is no such file
     */
    static List<Declaration> read(String source, String json, Map<String, Declaration> templates) {
        try (JsonParser parser = JSON.createParser(json)) {
            ModelFile file = new ModelFile(source, parser, templates);
            file.file();
            return file.read;
        } catch (JsonProcessingException e) {
            throw invalid(source, e.getLocation(), Json.problem(e));
        } catch (IOException e) {
            throw invalid(source, null, String.valueOf(e.getMessage()));
        }
    }

    private void file() throws IOException {
        parser.nextToken();
        object("a JSON object with a list of models");
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            if (!field.equals("models")) {
                throw unexpected("'models', not '" + field + "'");
            }
            array("a list of models");
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                model();
            }
        }
        if (parser.nextToken() != null) {
            throw unexpected("the end of the file");
        }
    }

    private void model() throws IOException {
        object("a model");
        JsonLocation start = parser.currentTokenLocation();
        String name = "";
        Declaration base = Declaration.NONE;
        List<String> ops = List.of();
        GivenPattern pattern = null;
        String family = "";
        String category = "";
        String backward = null;
        String unit = "";
        Map<String, FormulaText> names = new LinkedHashMap<>();
        List<FormulaText> parameters = List.of();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "comment" -> text("a text");
                case "name" -> name = text("the name of the model");
                case "like" -> base = template(text("the name of a model above"));
                case "ops" -> ops = texts();
                case "pattern" -> pattern = pattern(text("a regular expression"));
                case "family" -> family = text("the name of a sheet, such as GEMM");
                case "category" -> category = text("a category, such as GEMM");
                case "unit" -> unit = unit(text("matrix or vector"));
                case "precision" -> names.put(Declaration.PRECISION, formula());
                case "flops" -> names.put(Declaration.FLOPS, formula());
                case "bytes" -> names.put(Declaration.BYTES, formula());
                case "backward" -> backward = backward(names);
                case "define" -> define(names);
                case "parameters" -> parameters = parameters();
                default ->
                    throw unexpected("name, like, ops, pattern, family, category, unit, precision, define, "
                            + "parameters, flops, bytes, backward or comment, not '" + field + "'");
            }
        }
        Declaration whole =
                base.with(new Declaration(ops, pattern, family, category, backward, unit, names, parameters));
        if (ops.isEmpty() && pattern == null) {
            require(
                    !name.isEmpty(),
                    start,
                    "a model needs 'ops', a 'pattern' or, to be taken over by others, a 'name'");
        } else {
            require(!whole.family().isEmpty(), start, "the model has no 'family'");
            require(!whole.category().isEmpty(), start, "the model has no 'category'");
            require(whole.names().containsKey(Declaration.FLOPS), start, "the model has no 'flops'");
            read.add(whole);
        }
        if (!name.isEmpty()) {
            templates.put(name, whole);
        }
    }

    private Declaration template(String name) {
        Declaration known = templates.get(name);
        if (known == null) {
            throw unexpected("the name of a model above, such as '" + Nearest.of(name, List.copyOf(templates.keySet()))
                    + "', not '" + name + "'");
        }
        return known;
    }

    private String unit(String unit) {
        if (!unit.equals("matrix") && !unit.equals("vector")) {
            throw unexpected("matrix or vector, not '" + unit + "'");
        }
        return unit;
    }

    private GivenPattern pattern(String regex) {
        try {
            return GivenPattern.of(regex, source);
        } catch (PatternSyntaxException e) {
            throw unexpected("a regular expression: " + e.getDescription());
        }
    }

    private String backward(Map<String, FormulaText> names) throws IOException {
        object("an object with category, flops and bytes of the backward pass");
        String category = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "category" -> category = text("a category, such as SSM_bwd");
                case "flops" -> names.put(Declaration.BACKWARD_FLOPS, formula());
                case "bytes" -> names.put(Declaration.BACKWARD_BYTES, formula());
                default -> throw unexpected("category, flops or bytes, not '" + field + "'");
            }
        }
        return category;
    }

    private void define(Map<String, FormulaText> names) throws IOException {
        object("an object of names and their formulas");
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            if (!NAME.matcher(name).matches() || RESERVED.contains(name)) {
                throw unexpected("a name of letters, digits and _, not '" + name + "'");
            }
            parser.nextToken();
            names.put(name, formula());
        }
    }

    private List<FormulaText> parameters() throws IOException {
        array("a list of names");
        List<FormulaText> parameters = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            parameters.add(formula());
        }
        return parameters;
    }

    private List<String> texts() throws IOException {
        array("a list of names of operators");
        List<String> texts = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            texts.add(text("the name of an operator"));
        }
        return texts;
    }

    private FormulaText formula() throws IOException {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.VALUE_STRING && !token.isNumeric()) {
            throw unexpected("a formula");
        }
        JsonLocation at = parser.currentTokenLocation();
        int quote = token == JsonToken.VALUE_STRING ? 1 : 0;
        return new FormulaText(source, at.getLineNr(), at.getColumnNr() + quote, parser.getText());
    }

    private String text(String expected) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw unexpected(expected);
        }
        return parser.getText();
    }

    private void object(String expected) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw unexpected(expected);
        }
    }

    private void array(String expected) {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw unexpected(expected);
        }
    }

    private void require(boolean condition, JsonLocation at, String problem) {
        if (!condition) {
            throw invalid(source, at, problem);
        }
    }

    private UserException unexpected(String expected) {
        return invalid(source, parser.currentTokenLocation(), "expected " + expected);
    }

    private static UserException invalid(String source, @Nullable JsonLocation at, String problem) {
        String place = at == null ? source : source + ":" + at.getLineNr() + ":" + at.getColumnNr();
        return new UserException(ErrorCode.OPTION_INVALID, place + ": " + problem, GUIDE);
    }
}
