import { describe, expect, it } from 'vitest'
import { expectMarked as expectMarks } from '../marked.fixture.js'
import { scanText } from '../parse.fixture.js'

const expectMarked = (text: string) => expectMarks('java', text)
const short = (calls: readonly string[]) => calls.map((call) => call.replace(/^(\d+) .*? (\d+ \w+|unbounded|unknown)$/, '$1 $2'))

describe('clients with a default of their own', () => {
  it('reports Feign after 60 s, and its options where they are given', async () => {
    const { calls, findings, messages } = await scanText(
      'java',
      `import feign.Feign;
import feign.Request;
import java.util.concurrent.TimeUnit;
class A {
  Api a = Feign.builder().target(Api.class, "http://x");
  Api b = Feign.builder().options(new Request.Options(1000, 2000)).target(Api.class, "http://x");
  Api c = Feign.builder().options(new Request.Options(1, TimeUnit.SECONDS, 3, TimeUnit.SECONDS, true)).target(Api.class, "http://x");
  Api d = Feign.builder().client(own).target(Api.class, "http://x");
  Api e = Feign.builder().options(shared).target(Api.class, "http://x");
  Api f = Feign.builder().client(new feign.okhttp.OkHttpClient()).target(Api.class, "http://x");
}
`,
    )
    expect(short(calls)).toEqual(['5 60000 silence', '6 2000 silence', '7 3000 silence', '8 unknown', '9 unknown', '10 60000 silence'])
    expect(findings).toEqual(['5 default-bound', '10 default-bound'])
    expect(messages[0]).toContain('nothing but the default of openfeign N ends Feign client: 60 s (readTimeout)')
  })

  it('is silent about OkHttp and Jedis, which are short, unless they are switched off', async () => {
    const { calls, findings, messages } = await scanText(
      'java',
      `import okhttp3.OkHttpClient;
import redis.clients.jedis.*;
import java.util.concurrent.TimeUnit;
import java.time.Duration;
class A {
  Object a = new OkHttpClient();
  Object b = new OkHttpClient.Builder().readTimeout(30, TimeUnit.SECONDS).build();
  Object c = new OkHttpClient.Builder().readTimeout(0, TimeUnit.MILLISECONDS).build();
  Object d = new OkHttpClient.Builder().readTimeout(Duration.ZERO).callTimeout(Duration.ofSeconds(9)).build();
  Object e = new Jedis("h");
  Object f = new Jedis("h", 6379, 500);
  Object g = new Jedis("h", 6379, 0);
  Object h = new JedisPool(config, "h", 6379, 0);
}
`,
    )
    expect(short(calls)).toEqual([
      '6 10000 silence',
      '7 30000 silence',
      '8 unbounded',
      '9 9000 total',
      '10 2000 silence',
      '11 500 silence',
      '12 unbounded',
      '13 unbounded',
    ])
    expect(findings).toEqual(['8 unbounded-call', '12 unbounded-call', '13 unbounded-call'])
    expect(messages[0]).toContain('readTimeout(0, TimeUnit.MILLISECONDS) in line 8 switches it off')
  })

  it('leaves clients for sockets and events without a read timeout alone', async () => {
    await expectMarked(`import okhttp3.*;
import java.util.concurrent.TimeUnit;
class A {
  void f(Request r) {
    OkHttpClient c = new OkHttpClient.Builder().readTimeout(0, TimeUnit.MILLISECONDS).build();
    c.newWebSocket(r, listener);
  }
}
`)
  })

  it('reports Lettuce after 60 s', async () => {
    const { calls } = await scanText(
      'java',
      `import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
class A {
  Object a = RedisClient.create("redis://h");
  Object b = RedisClient.create("redis://h?timeout=5s");
  Object c = RedisClient.create(RedisURI.builder().withHost("h").withTimeout(Duration.ofSeconds(2)).build());
  Object d = RedisClient.create(url);
  void f() {
    RedisClient e = RedisClient.create("redis://h");
    e.setDefaultTimeout(Duration.ofSeconds(3));
  }
}
`,
    )
    expect(short(calls)).toEqual(['5 60000 total', '6 unknown', '7 2000 total', '8 unknown', '10 3000 total'])
  })
})

describe('DriverManager', () => {
  it('reads the URL, and says nothing of what it cannot read', async () => {
    const { calls } = await scanText(
      'java',
      `import java.sql.*;
class A {
  static final String URL = "jdbc:postgresql://h/d";
  void f(String host, String db) throws Exception {
    DriverManager.getConnection("jdbc:mysql://h/d", "u", "p");
    DriverManager.getConnection("jdbc:mysql://h/d?socketTimeout=3000&useSSL=false", "u", "p");
    DriverManager.getConnection("jdbc:mysql://" + host + "/d?useSSL=false", "u", "p");
    DriverManager.getConnection("jdbc:mysql://h/" + db, "u", "p");
    DriverManager.getConnection(URL, "u", "p");
    DriverManager.getConnection("jdbc:postgresql://h/d?socketTimeout=5", "u", "p");
    DriverManager.getConnection("jdbc:postgresql://h/d", properties);
    DriverManager.getConnection(System.getenv("URL"));
    DriverManager.getConnection("jdbc:h2:mem:x");
    DriverManager.getConnection("jdbc:sqlite:x.db");
    DriverManager.getConnection("jdbc:mariadb://h/d?socketTimeout=0", "u", "p");
  }
}
`,
    )
    expect(short(calls)).toEqual([
      '5 unbounded',
      '6 3000 statement',
      '7 unbounded',
      '8 unknown',
      '9 unbounded',
      '10 5000 statement',
      '11 unknown',
      '15 unbounded',
    ])
  })
})

describe('Apache HttpClient', () => {
  it('has no limit on the answer, in version 4 and 5', async () => {
    await expectMarked(`import org.apache.http.impl.client.*;
class A {
  Object a = HttpClients.createDefault(); // !
  Object b = HttpClients.custom().setSSLContext(c).build(); // !
  Object c = HttpClientBuilder.create().build(); // !
  Object d = new DefaultHttpClient(); // !
  Object e = HttpClients.custom().setConnectionManager(m).build();
}
`)
    await expectMarked(`import org.apache.hc.client5.http.impl.classic.HttpClients;
class A {
  Object a = HttpClients.createDefault(); // !
}
`)
  })

  it('stays silent where the file gives requests a config', async () => {
    const { calls } = await scanText(
      'java',
      `import org.apache.http.impl.client.HttpClients;
import org.apache.http.client.config.RequestConfig;
class A {
  RequestConfig config = RequestConfig.custom().setSocketTimeout(4000).build();
  Object a = HttpClients.custom().setDefaultRequestConfig(config).build();
}
`,
    )
    expect(calls).toEqual(['5 apache-httpclient 4000 silence'])
    await expectMarked(`import org.apache.http.impl.client.HttpClients;
class A {
  void f(org.apache.http.client.methods.HttpGet get) throws Exception {
    get.setConfig(config);
    HttpClients.createDefault().execute(get);
  }
}
`)
  })
})
