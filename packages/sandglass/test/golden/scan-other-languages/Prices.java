import java.net.http.*;
import java.net.URI;

class Prices {
  HttpResponse<String> all() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    return client.send(HttpRequest.newBuilder(URI.create("http://prices")).build(), HttpResponse.BodyHandlers.ofString());
  }
}
