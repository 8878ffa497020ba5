import { createServer, type Server } from 'node:http'
import { close, listen, loopbackOnly } from '../listen.ts'
import { Actor } from './actions/actor.ts'
import type { Fault } from './api/faults.ts'
import type { ConsentOffer, OAuth } from './api/oauth.ts'
import { requestListener } from './api/server.ts'
import { rateLimited } from './api/web-api.ts'
import type { Changes } from './changes.ts'
import { Core } from './core.ts'
import type { Channel, Team, TeamOptions, Workspace } from './directory.ts'
import type { NewUser, People, User } from './people.ts'
import { Recorder } from './recorder.ts'

export type { Actor } from './actions/actor.ts'
export type { Choice } from './actions/elements.ts'
export type { Exchange } from './actions/exchange.ts'
export type { Fault } from './api/faults.ts'
export type { Call } from './core.ts'
export type { Channel, Team } from './directory.ts'
export type { People, User } from './people.ts'
export type { Message, View } from './surfaces.ts'

/**
 * Starts a stand-in for Slack on a free port of loopback. Close it when the test is over.
 *
 *     const slack = await startSlack()
 *     const command = await slack.command(appUrl, { command: '/calls', user: slack.people.admin })
 *     const message = await command.waitForMessage()
 *     const click = await slack.click(appUrl, { message, action_id: 'calls.page.next' })
 *     expect(await click.waitForMessage()).toMatchObject({ text: … })
 *     expect(slack.violations).toEqual([])
 */
export async function startSlack(options?: ConstructorParameters<typeof Core>[0]): Promise<Slack> {
  const core = new Core(options)
  const server = createServer(loopbackOnly(requestListener(core)))
  core.origin = `http://127.0.0.1:${await listen(server)}`
  return new Slack(core, server)
}

export class Slack extends Recorder {
  /** For SLACK_API_URL. */
  readonly apiUrl: string = `${this.core.origin}/api/`
  readonly signingSecret: string = this.core.signingSecret
  readonly workspace: Team = this.core.workspace.team
  readonly people: People = this.core.workspace.people
  readonly general: Channel = this.core.workspace.general
  readonly oauth: OAuth = this.core.oauth
  /** Emits changes of messages and views, and calls of the app. */
  readonly changes: Changes = this.core.changes
  readonly #server: Server

  constructor(core: Core, server: Server) {
    super(core)
    this.#server = server
  }

  /** Returns the actions of one person, in #general by default. */
  as(user: User, where: { readonly channel?: Channel } = {}): Actor {
    return new Actor(this, user, where)
  }

  get botToken(): string {
    return this.workspace.botToken
  }

  addTeam(options: TeamOptions = {}): Workspace {
    return this.core.directory.addWorkspace(options)
  }

  /** Returns the next timestamp, for messages from people. */
  nextTs(): string {
    return this.core.ids.nextTs()
  }

  /** Adds a person. Any field of users.info may be set. */
  addPerson(fields: NewUser, team: Team = this.workspace): User {
    return this.core.directory.addPerson(fields, team)
  }

  join(user: User, team: Team): User {
    return this.core.directory.join(user, team)
  }

  addChannel(fields: Partial<Channel> & { name: string }, team: Team = this.workspace): Channel {
    return this.core.directory.addChannel(fields, team)
  }

  /** Returns the direct conversation with a person; undefined until the app has written to them. */
  directChannel(user: User): Channel | undefined {
    return this.core.directory.channels.find(({ directWith }) => directWith === user.id)
  }

  /** Ends a person's session, which deletes their ephemeral messages. */
  endSession({ id }: User): void {
    this.core.messages.deleteEphemeral(id)
    this.changes.emit('change')
  }

  /** Makes the next call to a method, or the next post to a `response_url`, fail. Several faults apply in order. */
  failNext(target: string, fault: Fault): void {
    this.core.faults.plan(target, fault)
  }

  /** Makes the next call fail with status 429 and Retry-After in seconds. */
  rateLimitNext(method: string, seconds: number): void {
    this.failNext(method, rateLimited(seconds))
  }

  set refuseTables(isRefused: boolean) {
    this.core.refuseTables = isRefused
  }

  set refuseCharts(isRefused: boolean) {
    this.core.refuseCharts = isRefused
  }

  /** Serves Slack's own pages: the consent page, and links into a workspace. */
  offerConsent(offer: ConsentOffer): void {
    this.core.consentOffer = offer
  }

  set socketUrl(url: string) {
    this.core.socketUrl = url
  }

  /** Moves the clock that expires trigger_ids and response_urls. */
  advance(ms: number): void {
    this.core.advance(ms)
  }

  override async close(): Promise<void> {
    await super.close()
    await close(this.#server)
  }
}
