package interop;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The options of a command line: {@code --name value}, and {@code --name} for the flags. */
record Options(Map<String, String> values) {

    static Options of(String[] arguments, Set<String> names, Set<String> flags) {
        var values = new HashMap<String, String>();
        for (int i = 0; i < arguments.length; i++) {
            var name = arguments[i].replaceFirst("^--", "");
            if (flags.contains(name)) {
                values.put(name, "");
            } else if (names.contains(name) && i + 1 < arguments.length) {
                values.put(name, arguments[++i]);
            } else {
                throw new IllegalArgumentException("unknown or without a value: " + arguments[i]);
            }
        }
        return new Options(values);
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    String get(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    /** Whom a header of credentials stands for; {@code null}: nobody. */
    static String name(Map<String, String> tokens, String header) {
        return header != null && header.startsWith("Bearer ") ? tokens.get(header.substring("Bearer ".length())) : null;
    }

    /** Names by token, of {@code none} or {@code bearer:TOKEN=NAME} with more such pairs after commas. */
    static Map<String, String> tokens(String text) {
        var tokens = new LinkedHashMap<String, String>();
        if (text.equals("none")) {
            return tokens;
        }
        if (!text.startsWith("bearer:")) {
            throw new IllegalArgumentException("--auth: neither none nor bearer:TOKEN=NAME,...");
        }
        for (var pair : text.substring("bearer:".length()).split(",")) {
            int at = pair.lastIndexOf('=');
            tokens.put(pair.substring(0, at), pair.substring(at + 1));
        }
        return tokens;
    }
}
