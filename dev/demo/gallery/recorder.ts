import { setTimeout as sleep } from 'node:timers/promises'
import { elementsIn } from '../../slack/elements.ts'
import type { Consent } from '../../slack/oauth.ts'
import { isView, readableText } from '../../slack/readable-text.ts'
import { messageBody, parseOptions } from '../../slack/shapes.ts'
import type { Actor, Channel, Choice, Message, Team, View } from '../../slack/slack.ts'

import { away, minuteMs, publicUrl, Stage, type StageOptions, stageParts } from './stage.ts'

/** Something that Callboard showed, as Slack got it. */
export type SampleBody =
  | { readonly kind: 'message'; readonly body: Pick<Message, 'text' | 'blocks'> }
  /** `errors`: what stands under its fields, by block_id. */
  | { readonly kind: 'modal'; readonly body: View; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'home'; readonly body: View }
  /** A whole page of HTML. */
  | { readonly kind: 'page'; readonly body: string }
export type NamedSample = SampleBody & { readonly name: string }

/** What one part of the app shows, on a stage of its own. */
export interface Chapter extends StageOptions {
  readonly feature: string
  play(stage: Recorder): Promise<unknown>
}

type Values = Parameters<Actor['submit']>[1]
/** What is clicked: a button's or an option's text, or an action id; and what is chosen there. */
type Click = readonly [place: Message | View, what: string, choose?: Choice]

/** Whether there is more to come in its place. */
function isWaiting(place: Message | View): boolean {
  if (!isView(place)) return place.text.startsWith('Reading')
  return (
    place.submit === undefined &&
    /"text":"([A-Za-z ]+…|Reading )|█|░/.test(JSON.stringify(place.blocks.slice(0, 1)))
  )
}

/** What people do on a stage is what they do in Slack; what they see then is recorded under a name, or for '' is only on the way. */
export class Recorder extends Stage {
  readonly samples: NamedSample[] = []
  /** What `posted` has found. */
  readonly #posted = new Set<string>()

  static async start(options: StageOptions): Promise<Recorder> {
    const recorder = new Recorder(options, await stageParts(options))
    await recorder.restart()
    if (options.isConnected ?? !options.hasOAuth) await recorder.connect()
    return recorder
  }

  /** Records what stands there now. */
  take(name: string, place: Message | View, errors: Readonly<Record<string, string>> = {}): void {
    if (!isView(place))
      this.samples.push({ name, kind: 'message', body: { text: place.text, blocks: place.blocks } })
    else if (place.type === 'home') this.samples.push({ name, kind: 'home', body: place })
    else this.samples.push({ name, kind: 'modal', body: place, errors })
  }

  /** A command, and the message that it shows. */
  async say(name: string, line: string, by = this.ada): Promise<Message> {
    const exchange = await by.type(line)
    const message = await this.until(() => exchange.messages.find((one) => !isWaiting(one)), name)
    this.take(name, message)
    return message
  }

  /** A command that takes its time: what it shows meanwhile, and what it ends in. */
  async saySlowly([meanwhile, end]: readonly [string, string?], line: string): Promise<Message> {
    // What was read is kept for a while.
    this.pass(2 * minuteMs)
    const exchange = await this.ada.type(line)
    this.take(meanwhile, await this.until(() => exchange.messages[0], meanwhile))
    const message = await this.until(() => exchange.messages.find((one) => !isWaiting(one)), meanwhile)
    if (end !== undefined) this.take(end, message)
    return message
  }

  /** Commands, and the message that each of them shows. */
  async sayAll(lines: Readonly<Record<string, string>>, by = this.ada): Promise<void> {
    for (const [name, line] of Object.entries(lines)) await this.say(name, line, by)
  }

  /** A click, and the message that it shows. */
  async press(name: string, [place, what, choose]: Click, by = this.ada): Promise<Message> {
    const exchange = await by.press(place, ...this.#target(place, what, choose))
    const message = await this.until(() => exchange.messages.find((one) => !isWaiting(one)), name)
    this.take(name, message)
    return message
  }

  /** The modal that a command or a click opens, once it is all there. */
  async open(name: string, from: string | Click, by = this.ada): Promise<View> {
    const view = await (typeof from === 'string' ? by.open(from) : by.open(from[0], ...this.#target(...from)))
    return this.settled(name, view)
  }

  /** What a modal is submitted for: the same with errors, what it turns into, or what follows in its place. */
  async submit(name: string, view: View, values: Values = {}, by = this.ada): Promise<View> {
    const { errors, ...shown } = await by.submit(view, values)
    if (Object.keys(errors).length === 0) return this.settled(name, this.slack.view(shown.id) ?? shown)
    this.take(name, this.slack.view(view.id) ?? shown, errors)
    return view
  }

  /** Where Slack would keep it back by itself. */
  async submitAnyway(name: string, view: View, values: Values): Promise<void> {
    const { errors } = await this.ada.submit(view, values, { force: true })
    this.take(name, this.slack.view(view.id) ?? view, errors)
  }

  /** A form that is submitted, and whose end nobody looks at. */
  async send(view: View, values: Values = {}, by = this.ada): Promise<void> {
    await this.#quietly(() => this.submit('', view, values, by))
  }

  /** What a submission shows meanwhile, and what it ends in. */
  async submitSlowly(
    names: readonly [string, string?],
    view: View,
    values: Values = {},
    by = this.ada,
  ): Promise<View> {
    const { errors: _, ...shown } = await by.submit(view, values)
    this.take(names[0], shown)
    return this.settled(names[1] ?? '', shown)
  }

  /** Records a modal once nothing more comes. */
  async settled(name: string, view: View): Promise<View> {
    const now = () => this.slack.view(view.id) ?? view
    const shown = await this.until(() => (isWaiting(now()) ? undefined : now()), name)
    this.take(name, shown)
    return shown
  }

  /** The home tab, as the app publishes it when it is opened. */
  async home(name: string, { user } = this.ada, team = this.slack.workspace): Promise<View> {
    const { slack } = this
    const before = slack.home(user)?.hash
    const event = { type: 'app_home_opened', user: user.id, tab: 'home', channel: `D${user.id.slice(1)}` }
    await slack.event(slack.appUrl, event, { team })
    const find = () => {
      const home = slack.home(user)
      return home?.hash === before ? undefined : home
    }
    const home = await this.until(find, name)
    this.take(name, home)
    return home
  }

  /** Lets minutes go by until something is told that nobody asked for. */
  async tell(name: string, place: Channel | Actor, text: string): Promise<Message> {
    for (let n = 0; n < 60 && !this.#newest(place, text); n += 1) await this.tick(2 * minuteMs, 120)
    return this.posted(name, place, text)
  }

  /** The newest message that everyone in a channel sees, or somebody in the direct one, that reads like that: each of them once. */
  async posted(name: string, place: Channel | Actor, text = ''): Promise<Message> {
    const message = await this.until(() => this.#newest(place, text), `${name}: ${text}`)
    this.#posted.add(message.ts + JSON.stringify(message.blocks))
    this.take(name, message)
    return message
  }

  /** A message as the app sent it, where it was changed again in no time. */
  takeCall(name: string, args: unknown): void {
    const { text = '', blocks = [] } = messageBody.parse(args)
    this.samples.push({ name, kind: 'message', body: { text, blocks: blocks } })
  }

  /** Waits until a message or modal reads like that. */
  async sees(name: string, place: Message | View, text: string): Promise<void> {
    const now = () => (isView(place) ? this.slack.view(place.id) : this.slack.message(place.ts))
    const shown = await this.until(() => {
      const current = now()
      return current && readableText(current).includes(text) ? current : undefined
    }, `${name}: ${text}`)
    this.take(name, shown)
  }

  async page(
    name: string,
    path: string,
    cookie = '',
  ): Promise<{ readonly body: string; readonly cookie: string }> {
    const url = path.startsWith('http')
      ? path.replace(publicUrl, this.slack.appUrl)
      : `${this.slack.appUrl}${path}`
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual' })
    const body = await response.text()
    this.samples.push({ name, kind: 'page', body })
    return { body, cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
  }

  /** What a person's browser does to install the app. @returns where Slack sends it back to, with its cookie */
  async consent(consent: Consent): Promise<readonly [url: string, cookie: string]> {
    const { body, cookie } = await this.#quietly(() => this.page('', '/slack/install'))
    const authorizeUrl = (/href="([^"]+oauth[^"]+)"/.exec(body)?.[1] ?? '').replaceAll('&amp;', '&')
    return [this.slack.oauth.consent(authorizeUrl, consent), cookie]
  }

  async install(team: Team, { user }: Actor, isOrganisation = false): Promise<void> {
    await this.#quietly(async () => this.page('', ...(await this.consent({ team, user, isOrganisation }))))
  }

  /** Connects the workspace to the account. */
  async connect({ key, secret } = this.lively, by = this.ada): Promise<void> {
    await this.#quietly(async () => this.submit('', await by.open('/calls connect'), { key, secret }, by))
  }

  /** Names the account's own numbers, in the order of the form. */
  async nameLines(...names: readonly string[]): Promise<void> {
    const form = await this.ada.open('/calls lines')
    const values = names.map((name, index) => [`line-${index}`, name])
    await this.#quietly(() => this.submit('', form, Object.fromEntries(values)))
  }

  /** Something long, half way through which the service goes away. */
  async halfWay(work: () => Promise<unknown>): Promise<void> {
    this.sandbox.faults.clear()
    await sleep(150)
    this.pass(2 * minuteMs)
    this.slowly(30)
    await Promise.all([work(), this.failsAfter(12, away)])
    this.sandbox.faults.clear()
  }

  /** The shortcut in the menu of a message: its modal. */
  async find(name: string, text: string): Promise<View> {
    return this.settled(name, await this.ada.shortcut('calls.find-number', text))
  }

  /** Without a sample. */
  async #quietly<T>(work: () => Promise<T>): Promise<T> {
    const count = this.samples.length
    const result = await work()
    this.samples.splice(count)
    return result
  }

  #newest(place: Channel | Actor, text: string): Message | undefined {
    const channel = 'user' in place ? this.slack.directChannel(place.user) : place
    const isNew = ({ ts, blocks }: Message) => !this.#posted.has(ts + JSON.stringify(blocks))
    return this.slack
      .messages(channel ? { channel } : {})
      .findLast(
        (one) => channel && one.onlyFor === undefined && isNew(one) && readableText(one).includes(text),
      )
  }

  #target(place: Message | View, what: string, choose?: Choice): [string, Choice?] {
    const names: string[] = []
    for (const { element } of elementsIn(place.blocks)) {
      const { action_id: id = '', text } = element
      if (id === what || text?.text === what) return choose === undefined ? [id] : [id, choose]
      const options = element.type === 'button' ? [] : parseOptions(element)
      const option = options.find((one) => one.text.text === what)
      if (option) return [id, option.value ?? what]
      names.push(`${id} "${text?.text ?? options.map((one) => one.text.text).join('|')}"`)
    }
    throw new Error(`there is no ${what}; there is: ${names.join(', ')}`)
  }
}
