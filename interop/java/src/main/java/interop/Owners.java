package interop;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.a2aproject.sdk.server.ServerCallContext;
import org.a2aproject.sdk.server.auth.TaskAuthorizationProvider;
import org.a2aproject.sdk.server.auth.TaskOperation;

/** Tasks belong to a caller in a tenant. */
final class Owners implements TaskAuthorizationProvider {
    static final String TENANT = "tenant";

    private final Map<String, String> owners = new ConcurrentHashMap<>();

    @Override
    public boolean checkRead(ServerCallContext context, String taskId, TaskOperation operation) {
        return owner(context).equals(owners.get(taskId));
    }

    @Override
    public boolean checkWrite(ServerCallContext context, String taskId, TaskOperation operation) {
        return checkRead(context, taskId, operation);
    }

    @Override
    public boolean checkCreate(ServerCallContext context, TaskOperation operation) {
        return true;
    }

    @Override
    public boolean isTaskRecorded(String taskId) {
        return owners.containsKey(taskId);
    }

    @Override
    public void recordOwnership(ServerCallContext context, String taskId, TaskOperation operation) {
        owners.put(taskId, owner(context));
    }

    private static String owner(ServerCallContext context) {
        return context.getState().getOrDefault(TENANT, "") + "/" + context.getUser().getUsername();
    }
}
