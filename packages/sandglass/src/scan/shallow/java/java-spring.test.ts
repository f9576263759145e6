import { describe, expect, it } from 'vitest'
import { expectMarked as expectMarks } from '../marked.fixture.js'
import { scanText } from '../parse.fixture.js'

const expectMarked = (text: string) => expectMarks('java', text)

describe('RestTemplate', () => {
  it('has no timeout unless its request factory has one', async () => {
    const { calls, findings, messages } = await scanText(
      'java',
      `package a;
import org.springframework.http.client.*;
import org.springframework.web.client.RestTemplate;
class A {
  private static final int READ_MS = 5 * 1_000;
  private final RestTemplate field = new RestTemplate();
  RestTemplate plain() { return new RestTemplate(); }
  RestTemplate given() {
    SimpleClientHttpRequestFactory factory = new SimpleClientHttpRequestFactory();
    factory.setConnectTimeout(1000);
    factory.setReadTimeout(READ_MS);
    return new RestTemplate(factory);
  }
  RestTemplate later() {
    RestTemplate rest = new RestTemplate();
    var factory = new SimpleClientHttpRequestFactory();
    factory.setReadTimeout(Duration.ofSeconds(7));
    rest.setRequestFactory(factory);
    return rest;
  }
  RestTemplate method() { return new RestTemplate(factory()); }
  private ClientHttpRequestFactory factory() {
    SimpleClientHttpRequestFactory f = new SimpleClientHttpRequestFactory();
    f.setReadTimeout(3000);
    return new BufferingClientHttpRequestFactory(f);
  }
  RestTemplate open() { return new RestTemplate(new SimpleClientHttpRequestFactory()); }
  RestTemplate injected(ClientHttpRequestFactory f) { return new RestTemplate(f); }
  RestTemplate own() { return new RestTemplate() { }; }
  RestTemplate configured() {
    RestTemplate rest = new RestTemplate();
    configureTimeouts(rest);
    return rest;
  }
}
`,
    )
    expect(calls).toEqual([
      '6 RestTemplate unbounded',
      '7 RestTemplate unbounded',
      '12 RestTemplate 5000 silence',
      '15 RestTemplate unknown',
      '21 RestTemplate 3000 silence',
      '27 RestTemplate unbounded',
      '28 RestTemplate unknown',
      '31 RestTemplate unknown',
    ])
    expect(findings).toEqual(['6 unbounded-call', '7 unbounded-call', '27 unbounded-call'])
    expect(messages[0]).toBe(
      'RestTemplate waits without a limit: no read timeout is set, and RestTemplate has none of its own (as of spring-boot N); shallow: only the syntax of this file was looked at',
    )
  })

  it('reads Duration where it is imported', async () => {
    const { calls } = await scanText(
      'java',
      `import java.time.Duration;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestTemplate;
class A {
  RestTemplate later() {
    RestTemplate rest = new RestTemplate();
    var factory = new SimpleClientHttpRequestFactory();
    factory.setReadTimeout(Duration.ofSeconds(7));
    rest.setRequestFactory(factory);
    return rest;
  }
}
`,
    )
    expect(calls).toEqual(['6 RestTemplate 7000 silence'])
  })

  it('is not taken for something else of that name', async () => {
    await expectMarked(`package a;
import com.own.RestTemplate;
class A {
  Object a = new RestTemplate(); // own class
  String s = "new RestTemplate()";
  /* new org.springframework.web.client.RestTemplate() */
}
`)
    await expectMarked(`package a;
import org.springframework.web.client.*;
class A {
  Object a = new RestTemplate();
  static class RestTemplate { }
}
`)
    await expectMarked(`package a;
class A {
  Object a = new RestTemplate();
  Object b = new org.springframework.web.client.RestTemplate(); // !
}
`)
    await expectMarked(`package a;
import org.springframework.web.client.*;
class A {
  Object a = new RestTemplate(); // !
}
`)
  })
})

describe('WebClient', () => {
  it('has no response timeout of its own', async () => {
    await expectMarked(`import org.springframework.web.reactive.function.client.WebClient;
class A {
  WebClient a = WebClient.create("http://x"); // !
  WebClient b = WebClient.builder().baseUrl("http://x").build(); // !
  WebClient c(WebClient.Builder builder) { return builder.build(); }
}
`)
    await expectMarked(
      `import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import reactor.netty.http.client.HttpClient;
class A {
  WebClient a = WebClient.builder()
      .clientConnector(new ReactorClientHttpConnector(HttpClient.create().wiretap(true))) // on line 5
      .build();
}
`.replace('WebClient.builder()\n', 'WebClient.builder() // !\n'),
    )
  })

  it('takes the limit of its connector, its pipelines or its filters', async () => {
    const { calls } = await scanText(
      'java',
      `import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import reactor.netty.http.client.HttpClient;
import java.time.Duration;
class A {
  HttpClient http = HttpClient.create().responseTimeout(Duration.ofSeconds(4));
  WebClient a = WebClient.builder().clientConnector(new ReactorClientHttpConnector(http)).build();
}
`,
    )
    expect(calls).toEqual(['7 WebClient 4000 headers'])
    for (const line of ['a.get().retrieve().bodyToMono(X.class).timeout(d);', 'a.get().retrieve().bodyToMono(X.class).block(d);']) {
      await expectMarked(`import org.springframework.web.reactive.function.client.WebClient;
class A {
  WebClient a = WebClient.create("http://x");
  void f(java.time.Duration d) { ${line} }
}
`)
    }
    await expectMarked(`import org.springframework.web.reactive.function.client.WebClient;
class A {
  WebClient a = WebClient.builder().filter(limits).build();
}
`)
  })

  it('is not confused by the timeout of another client in the file', async () => {
    await expectMarked(`import org.springframework.web.reactive.function.client.WebClient;
import java.net.http.HttpRequest;
import java.time.Duration;
class A {
  WebClient a = WebClient.create("http://x"); // !
  HttpRequest b = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(1)).build();
}
`)
  })
})
