import com.google.gson.Gson;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AuthenticationApi;
import org.openapitools.client.api.ChangesApi;
import org.openapitools.client.api.CustomersApi;
import org.openapitools.client.model.Changes;
import org.openapitools.client.model.KindName;
import org.openapitools.client.model.TokenRequest;

/** Exchanges a token, reads a page and all changes with it, is rejected, and prints what came of it as JSON. */
public class ReadDemo {
    public static void main(String[] arguments) throws ApiException {
        Map<String, String> given = System.getenv();
        UUID serviceProvider = UUID.fromString(given.get("SP_ID"));
        UUID crb = UUID.fromString(given.get("CRB_ID"));
        ApiClient client = new ApiClient().setBasePath(given.get("BASE_URL"));
        var token = new AuthenticationApi(client).exchangeToken(new TokenRequest()
            .clientId(given.get("CLIENT_ID"))
            .clientSecret(given.get("CLIENT_SECRET"))
            .grantType(TokenRequest.GrantTypeEnum.CLIENT_CREDENTIALS));
        client.setApiKey(token.getAccessToken());
        var customers = new CustomersApi(client).listCrbCustomers(serviceProvider, crb, 2, null, null, null, null);

        ChangesApi feed = new ChangesApi(client);
        Map<String, Map<String, Integer>> changes = new HashMap<>();
        for (KindName kind : KindName.values()) {
            Map<String, Integer> records = changes.computeIfAbsent(kind.getValue(), name -> new TreeMap<>());
            String cursor = null;
            for (Changes page = null; page == null || page.getHasMore(); cursor = page.getCursor()) {
                page = feed.listCrbChanges(serviceProvider, crb, kind, cursor, 1000, null);
                if (Boolean.TRUE.equals(page.getReset())) throw new IllegalStateException("Nothing was restored.");
                page.getData().forEach(each ->
                    records.merge(each.getActualInstance().getClass().getSimpleName(), 1, Integer::sum));
            }
        }

        int rejected = 0;
        try {
            new CustomersApi(client).getCrbCustomer(serviceProvider, crb, new UUID(0, 0), null);
        } catch (ApiException error) {
            rejected = error.getCode();
        }
        System.out.println(new Gson().toJson(Map.of(
            "scopes", token.getScope().getListAccessScope().size(),
            "customers", customers.getMetadata().getTotal(),
            "ids", customers.getData().stream().map(customer -> customer.getId().toString()).toList(),
            "changes", changes,
            "rejected", rejected)));
    }
}
