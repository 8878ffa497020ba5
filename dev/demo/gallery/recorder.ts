import type { Operation } from '../../service/types.ts'
import { elementsIn } from '../../slack/actions/elements.ts'
import type { Consent } from '../../slack/api/oauth.ts'
import { isView, readableText } from '../../slack/readable-text.ts'
import { parseOptions } from '../../slack/shapes.ts'
import type { Actor, Choice, Exchange, Message, Team, View } from '../../slack/slack.ts'
import { publicUrl, Stage, type StageOptions, stageParts } from './stage.ts'

/** Something that Callboard showed, as Slack got it. */
export type SampleBody =
  | { readonly kind: 'message'; readonly body: Pick<Message, 'text' | 'blocks'> }
  /** `errors`: what stands under its fields, by block_id. */
  | { readonly kind: 'modal'; readonly body: View; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'home'; readonly body: View }
  /** A whole page of HTML. */
  | { readonly kind: 'page'; readonly body: string }

type Values = NonNullable<Parameters<Actor['submit']>[1]>
type Place = Message | View

/**
 * What somebody does, and the name that what they see then is recorded under. Names with `_` are only on the way, as are empty
 * ones; two names with ` | ` between them are of what is shown meanwhile, and of what it ends in.
 *
 * `WHO: START > CLICK > CLICK`, where `WHO` is Ada unless it is said (`ben`, `ada in finance`, `ben in direct`), and `START` is
 * - a command such as `/calls`, or the name of something recorded before;
 * - `home`, or `find TEXT`: the home tab, or the modal of the shortcut in the menu of a message;
 * - `#support TEXT` or `@ada TEXT`: the newest message in a channel, or from the app to somebody alone, that reads like that,
 *   each of them once; with `later` before it minutes go by until it comes;
 * - `NAME ~ TEXT`: the same once it reads like that.
 * A `CLICK` is a button's or option's text, or an action id, with `=CHOICE` what is chosen. With values a form is submitted,
 * where ` !` follows even if Slack would keep it back. Functions run before all that.
 */
export type Row = readonly [name: string, how: string, ...more: readonly (Values | Work)[]]
export type Work = (stage: Recorder) => unknown
/** Of a string alone nobody waits for what comes of it. */
export type Step = Row | string | Work

/** What one part of the app shows, on a stage of its own. */
export interface Chapter extends StageOptions {
  readonly feature: string
  readonly steps: readonly Step[]
}

export const chapter = (feature: string, options: StageOptions, steps: readonly Step[]): Chapter => ({
  ...options,
  feature,
  steps,
})

/** Whether there is more to come in its place. */
function isWaiting(place: Place): boolean {
  if (!isView(place)) return place.text.startsWith('Reading')
  const start = JSON.stringify(place.blocks.slice(0, 1))
  return place.submit === undefined && /"text":"([A-Za-z ]+…|Reading )/.test(start)
}

/** What people do on a stage is what they do in Slack; what they see then is recorded. */
export class Recorder extends Stage {
  readonly samples: (SampleBody & { readonly name: string })[] = []
  readonly #named = new Map<string, Place>()
  /** What `posted` has found. */
  readonly #posted = new Set<string>()

  static async start(options: StageOptions): Promise<Recorder> {
    const recorder = new Recorder(await stageParts(options))
    await recorder.restart()
    if (options.isConnected ?? !options.hasOAuth) await recorder.connect()
    return recorder
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      try {
        if (typeof step === 'function') await step(this)
        else if (typeof step === 'string') await this.#do(step)
        else await this.#row(step)
      } catch (cause) {
        throw new Error(`at ${typeof step === 'function' ? step : JSON.stringify(step)}`, { cause })
      }
    }
  }

  /** Records what stands there now. */
  take(name: string, place: Pick<Message, 'text' | 'blocks'> | View, errors = {}): void {
    // What has no name is only on the way to something else.
    if (name === '' || name.startsWith('_')) return
    if (!('hash' in place))
      this.samples.push({ name, kind: 'message', body: { text: place.text, blocks: place.blocks } })
    else if (place.type === 'home') this.samples.push({ name, kind: 'home', body: place })
    else this.samples.push({ name, kind: 'modal', body: place, errors })
  }

  /** Connects the workspace to one of the accounts. */
  async connect(name = '', how = '/calls connect', account: 'lively' | 'quiet' = 'lively'): Promise<void> {
    const { key, secret } = this.sandbox.accounts[account]
    await this.#row([name, how, { key, secret }])
  }

  async page(name: string, path: string, cookie = '') {
    const { appUrl } = this.slack
    const url = path.startsWith('http') ? path.replace(publicUrl, appUrl) : `${appUrl}${path}`
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual' })
    const body = await response.text()
    if (name !== '') this.samples.push({ name, kind: 'page', body })
    const newCookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    return { cookie: newCookie, location: response.headers.get('location') ?? '' }
  }

  /** What a person's browser does to install the app. @returns where Slack sends it back to, with its cookie */
  async consent(consent: Consent): Promise<readonly [url: string, cookie: string]> {
    const { location, cookie } = await this.page('', '/slack/install')
    return [this.slack.oauth.consent(location, consent), cookie]
  }

  /** Installs the app in Ada's workspace. */
  async install(): Promise<void> {
    const { user } = this.actor('ada')
    await this.page('', ...(await this.consent({ team: this.slack.workspace, user })))
  }

  /** An organisation that the app is installed in, with `nia`, who installed it, and `owen`, who owns it. */
  async installInOrganisation(name = ''): Promise<Team> {
    const { slack } = this
    const { team, people } = slack.addTeam({ enterpriseId: 'E0DEMO', enterpriseName: 'Larkfield Group' })
    this.people.set('nia', slack.as(people.member)).set('owen', slack.as(people.owner))
    await this.page(name, ...(await this.consent({ team, user: people.member, isOrganisation: true })))
    return team
  }

  /** The home tab, as the app publishes it when it is opened. */
  async home(who = 'ada', team = this.slack.workspace): Promise<View> {
    const { slack } = this
    const { user } = this.actor(who)
    const before = slack.home(user)?.hash
    const event = { type: 'app_home_opened', user: user.id, tab: 'home', channel: `D${user.id.slice(1)}` }
    await slack.event(slack.appUrl, event, { team })
    const find = () => [slack.home(user)].find((home) => home?.hash !== before)
    return this.until(find, 'the home tab')
  }

  async #row([names, how, ...more]: Row): Promise<void> {
    const [name = '', end] = names.split(' | ')
    for (const one of more) if (typeof one === 'function') await one(this)
    const values = more.find((one): one is Values => typeof one !== 'function')
    const [who, what] = this.#parse(how)
    const by = this.actor(who)
    if (end !== undefined && !values) {
      const exchange = await by.type(what)
      this.keep(name, await this.until(() => exchange.messages[0], name))
      return this.keep(end, await this.#after(exchange))
    }
    const found = await this.#place(who, what.replace(/ !$/, ''))
    if (!values) return this.keep(name, found)
    const place = isView(found) ? found : await by.openNew(found)
    const { errors, ...shown } = await by.submit(place, values, { force: what.endsWith(' !') })
    if (end !== undefined) this.keep(name, shown)
    const view = Object.keys(errors).length > 0 ? place : shown
    this.keep(end ?? name, await this.#settled(view), errors)
  }

  /** Does the last of it, and waits for nothing. */
  async #do(how: string): Promise<void> {
    const [who, what] = this.#parse(how)
    const steps = what.split(' > ')
    const last = steps.pop() ?? ''
    if (steps.length === 0) return void (await this.actor(who).type(last))
    const place = await this.#place(who, steps.join(' > '))
    await this.actor(who).press(place, ...targetOf(place, last))
  }

  /** Records what stands there, for later steps too. */
  keep(name: string, place: Place, errors = {}): void {
    this.#named.set(name, place)
    this.take(name, place, errors)
  }

  #parse(how: string): readonly [who: string, what: string] {
    const [prefix = '', who = '', name = ''] = /^((\w+)(?: in \w+)?): /.exec(how) ?? []
    return this.people.has(name) ? [who, how.slice(prefix.length)] : ['ada', how]
  }

  async #place(who: string, how: string): Promise<Place> {
    const [start = '', ...clicks] = how.split(' > ')
    let place = await this.#start(who, start)
    for (const click of clicks)
      place = await this.#after(await this.actor(who).press(place, ...targetOf(place, click)))
    return place
  }

  async #start(who: string, start: string): Promise<Place> {
    const by = this.actor(who)
    if (start.startsWith('/')) {
      const line = start.replaceAll(/ #(\w+)/g, (_, name: string) => ` <#${this.channel(name).id}|${name}>`)
      return this.#after(await by.type(line))
    }
    if (start === 'home') return this.home(who)
    if (start.startsWith('find '))
      return this.#settled(await by.shortcut('calls.find-number', start.slice(5)))
    const [, isLater, sign, where = '', text = ''] = /^(later )?([#@])(\w+) ?(.*)$/.exec(start) ?? []
    if (sign !== undefined) {
      const find = () => this.#newest(sign === '#' ? this.channel(where).id : where, text)
      for (let n = 0; isLater && n < 60 && !find(); n += 1) await this.tick(2, 120)
      const found = await this.until(find, start)
      this.#posted.add(versionOf(found))
      return found
    }
    const [name = '', words] = start.split(' ~ ')
    const place = this.#named.get(name)
    if (!place) throw new Error(`nothing was recorded as ${name}`)
    if (words === undefined) return place
    return isView(place) ? by.sees(place, words) : by.sees(place, words)
  }

  /** The message or modal that something shows, once it is all there. */
  async #after(exchange: Exchange): Promise<Place> {
    const find = () =>
      exchange.views.find(({ type }) => type === 'modal') ?? exchange.messages.find((one) => !isWaiting(one))
    const place = await this.until(find, 'a message or modal')
    return isView(place) ? this.#settled(place) : place
  }

  #settled(view: View): Promise<View> {
    const now = () => this.slack.view(view.id) ?? view
    return this.until(() => (isWaiting(now()) ? undefined : now()), 'the end of what is under way')
  }

  /** The newest message that reads like that, in a channel for everyone or in the direct one of somebody: each of them once. */
  #newest(where: string, text: string): Message | undefined {
    const user = this.people.get(where)?.user
    const channel = user ? this.slack.directChannel(user)?.id : where
    const isIt = (one: Message) =>
      one.channel === channel &&
      one.onlyFor === undefined &&
      !this.#posted.has(versionOf(one)) &&
      readableText(one).includes(text)
    return this.slack.messages().findLast(isIt)
  }
}

const versionOf = ({ ts, blocks }: Message) => ts + JSON.stringify(blocks)

/** What is clicked, and what is chosen there. @throws Error that names what there is */
function targetOf(place: Place, click: string): [actionId: string, choose?: Choice] {
  const [what = '', choice] = click.split('=')
  const names: string[] = []
  for (const { element } of elementsIn(place.blocks)) {
    const { action_id: id = '', text } = element
    const choose = choice?.includes(',') ? choice.split(',') : choice
    if (id === what || text?.text === what) return choose === undefined ? [id] : [id, choose]
    const options = element.type === 'button' ? [] : parseOptions(element)
    const option = options.find((one) => one.text.text === what)
    if (option) return [id, option.value ?? what]
    names.push(`${id} "${text?.text ?? options.map((one) => one.text.text).join('|')}"`)
  }
  throw new Error(`there is no ${what}; there is: ${names.join(', ')}`)
}

// What chapters have in common, besides what people do.

type ServiceFault = Parameters<Stage['sandbox']['faults']['always']>[0]
type SlackFault = Parameters<Stage['slack']['failNext']>[1]

/** The next request of the service goes wrong, or of one of its operations. */
export const failNext =
  (fault: ServiceFault, operation?: Operation): Work =>
  ({ sandbox }) =>
    sandbox.faults.next(fault, operation === undefined ? {} : { operation })
/** Every request goes wrong, until the service works again. */
export const fail =
  (fault: ServiceFault, operation?: Operation): Work =>
  ({ sandbox }) =>
    sandbox.faults.always(fault, operation === undefined ? {} : { operation })
export const works: Work = ({ sandbox }) => sandbox.faults.clear()
export const during = (fault: ServiceFault, ...steps: readonly Step[]): Step[] => [
  fail(fault),
  ...steps,
  (stage) => stage.recover(),
]
/** Something long, half way through which the service goes away. */
export const halfWay =
  (step: Step): Work =>
  async (stage) => {
    await stage.recover()
    stage.slowly(30)
    await Promise.all([stage.run([step]), stage.failsAfter(12, { kind: 'status', status: 503 })])
    stage.sandbox.faults.clear()
  }
export const pass =
  (minutes: number): Work =>
  (stage) =>
    stage.pass(minutes)
/** The next call of one of Slack's methods goes wrong. */
export const slackFails =
  (method: string, fault: SlackFault | string): Work =>
  ({ slack }) =>
    slack.failNext(method, typeof fault === 'string' ? { body: { ok: false, error: fault } } : fault)
/** The next answer has too many characters in its blocks. */
export const tooLong = slackFails('response_url', {
  status: 400,
  body: { ok: false, error: 'msg_blocks_too_long' },
})
/** Names the account's own numbers, in the order of the form. */
export const nameLines = (...names: readonly string[]): Row => [
  '',
  '/calls lines',
  Object.fromEntries(names.map((name, index) => [`line-${index}`, name])),
]
export const status = (code: number, headers?: Readonly<Record<string, string>>) =>
  ({ kind: 'status', status: code, ...(headers && { headers: { ...headers } }) }) as const
