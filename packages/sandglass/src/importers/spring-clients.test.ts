import { describe, expect, it } from 'vitest'
import { imported } from './import-run.fixture.js'

describe('what only looks like a client of Ribbon', () => {
  it('is not said to be gone with Ribbon, as its own settings are', () => {
    const { dead } = imported({
      'pom.xml':
        '<project><dependencyManagement><artifactId>spring-cloud-dependencies</artifactId><version>2022.0.1</version></dependencyManagement></project>',
      'src/main/resources/application.yml':
        'spring.application.name: shop\nacme.ribbon.isolation.enabled: false\nstock.ribbon.ReadTimeout: 1000\nribbon.eager-load.enabled: true\n',
    })
    expect(dead.map(({ setting }) => setting)).toEqual(['stock.ribbon.ReadTimeout', 'ribbon.eager-load.enabled'])
  })

  it('is a part of other settings, or belongs to a Zuul that is not Spring’s', () => {
    expect(
      imported({
        'application.yml': 'spring.application.name: desk\nshop.ribbon.serverListRefreshInterval: 10000\nstock.ribbon.ReadTimeout: 3000\n',
      }).edges,
    ).toEqual(['desk.request -> stock.request'])
    expect(
      imported({ 'src/main/resources/application.properties': 'tea.ribbon.listOfServers=tea:8081\nzuul.server.port.main=8887\n' }).edges,
    ).toEqual([])
  })
})

describe('the release train of Spring Cloud', () => {
  it('is known by the name that its dependencies have, too', () => {
    const { dead } = imported({
      'pom.xml':
        '<project><properties><spring-cloud-dependencies.version>2022.0.4</spring-cloud-dependencies.version></properties></project>',
      'src/main/resources/application.yml': 'spring.application.name: shop\nribbon.ReadTimeout: 1000\n',
    })
    expect(dead.map(({ setting }) => setting)).toEqual(['ribbon.ReadTimeout'])
  })
})

describe('a route of a gateway to itself', () => {
  it('is no call', () => {
    const routes =
      'spring:\n  application.name: gate\n  cloud.gateway.routes:\n    - { id: docs, uri: "lb://gate", predicates: ["Path=/docs"] }\n    - { id: tea, uri: "lb://tea", predicates: ["Path=/tea"] }\n'
    expect(imported({ 'application.yml': routes }).edges).toEqual(['gate.tea -> tea.request'])
  })
})
