package interop;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;

/** JSON in few words. */
final class Json {
    private Json() {}

    static JsonObject parse(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    /** An object of names and values in turn; a value that is null is left out. */
    static JsonObject object(Object... members) {
        var object = new JsonObject();
        for (int i = 0; i < members.length; i += 2) {
            if (members[i + 1] != null) {
                object.add((String) members[i], value(members[i + 1]));
            }
        }
        return object;
    }

    static JsonArray array(Object... values) {
        var array = new JsonArray();
        for (var value : values) {
            array.add(value(value));
        }
        return array;
    }

    private static JsonElement value(Object value) {
        if (value instanceof JsonElement element) {
            return element;
        } else if (value instanceof String text) {
            return new JsonPrimitive(text);
        } else if (value instanceof Boolean flag) {
            return new JsonPrimitive(flag);
        }
        return new JsonPrimitive((Number) value);
    }
}
