import { describe, expect, it } from 'vitest'
import { expectMarked as expectMarks } from '../marked.fixture.js'
import { scanText } from '../parse.fixture.js'

const expectMarked = (text: string) => expectMarks('java', text)
const short = (calls: readonly string[]) => calls.map((call) => call.replace(/^(\d+) .*? (\d+ \w+|unbounded|unknown)$/, '$1 $2'))

describe('java.net.http', () => {
  it('takes the timeout of the request', async () => {
    const { calls, findings } = await scanText(
      'java',
      `import java.net.URI;
import java.net.http.*;
import java.time.Duration;
class A {
  HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
  void f(URI uri) throws Exception {
    HttpRequest a = HttpRequest.newBuilder(URI.create("http://x/y")).GET().build();
    client.send(a, HttpResponse.BodyHandlers.ofString());
    HttpRequest b = HttpRequest.newBuilder()
        .uri(uri)
        .timeout(Duration.ofMillis(1500))
        .build();
    HttpRequest.Builder builder = HttpRequest.newBuilder(uri);
    builder.timeout(Duration.ofMinutes(2));
    client.send(builder.build(), HttpResponse.BodyHandlers.ofString());
    HttpRequest.Builder open = HttpRequest.newBuilder(uri);
    open.header("a", "b");
    client.send(open.build(), HttpResponse.BodyHandlers.ofString());
    HttpRequest.Builder prepared = HttpRequest.newBuilder(uri);
    prepare(prepared);
    client.send(prepared.build(), HttpResponse.BodyHandlers.ofString());
  }
  HttpRequest helper(URI uri) { return base(uri).build(); }
}
`,
    )
    expect(short(calls)).toEqual(['7 unbounded', '9 1500 headers', '15 120000 headers', '18 unbounded', '21 unknown'])
    expect(findings).toEqual(['7 unbounded-call', '16 unbounded-call'])
  })

  it('stays silent where the future has a limit', async () => {
    await expectMarked(`import java.net.http.*;
class A {
  void f(HttpClient client, java.net.URI uri) throws Exception {
    HttpRequest a = HttpRequest.newBuilder(uri).build();
    client.sendAsync(a, HttpResponse.BodyHandlers.ofString()).orTimeout(5, TimeUnit.SECONDS);
  }
}
`)
    await expectMarked(`import java.net.http.*;
class A {
  void f(HttpClient client, java.net.URI uri) throws Exception {
    HttpRequest a = HttpRequest.newBuilder(uri).build();
    client.sendAsync(a, HttpResponse.BodyHandlers.ofString()).get(5, TimeUnit.SECONDS);
  }
}
`)
  })
})

describe('HttpURLConnection', () => {
  it('has no timeout unless it is set before it is used', async () => {
    await expectMarked(`package a;
import java.net.HttpURLConnection;
import java.net.URL;
import javax.net.ssl.HttpsURLConnection;
class A {
  void a(URL url) throws Exception {
    HttpURLConnection c = (HttpURLConnection) url.openConnection(); // !
    c.setConnectTimeout(1000);
    c.getInputStream();
  }
  void b(URL url) throws Exception {
    HttpURLConnection c = (HttpURLConnection) url.openConnection();
    c.setReadTimeout(5000);
    c.getInputStream();
  }
  void c(URL url) throws Exception {
    HttpsURLConnection c = null;
    c = (HttpsURLConnection) url.openConnection(); // !
    c.getResponseCode();
  }
  HttpURLConnection d(URL url) throws Exception {
    return (HttpURLConnection) url.openConnection();
  }
  void e(URL url) throws Exception {
    HttpURLConnection c = (HttpURLConnection) url.openConnection();
    prepare(c);
    c.getInputStream();
  }
  void f() throws Exception {
    new URL("http://x/y").openStream(); // !
    new URL("file:/x").openStream();
    getClass().getResource("x").openStream();
    ((HttpURLConnection) new URL("http://x").openConnection()).getResponseCode(); // !
  }
}
`)
  })

  it('is found behind a URLConnection where the URL is written out', async () => {
    await expectMarked(`import java.net.*;
class A {
  void a(URL given) throws Exception {
    URL url = new URL("https://x/y");
    URLConnection c = url.openConnection(); // !
    c.getInputStream();
    URLConnection d = given.openConnection();
    d.getInputStream();
    URLConnection e = new URL("jar:file:x!/y").openConnection();
    e.getInputStream();
  }
}
`)
  })

  it('stays silent where a system property gives all of them a timeout', async () => {
    await expectMarked(`import java.net.*;
class A {
  static { System.setProperty("sun.net.client.defaultReadTimeout", "5000"); }
  void a(URL url) throws Exception {
    HttpURLConnection c = (HttpURLConnection) url.openConnection();
    c.getInputStream();
  }
}
`)
  })
})
