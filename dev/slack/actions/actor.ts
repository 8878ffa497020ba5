import type { Core } from '../core.ts'
import type { User } from '../directory.ts'
import { isView, readableText } from '../readable-text.ts'
import type { Message, View } from '../surfaces.ts'
import { type Choice, elementsIn, findElement } from './elements.ts'
import type { CommandInput, ShortcutInput, SubmitInput } from './inputs.ts'
import type { Requests } from './requests.ts'

/** The modal after its submission, with the errors under its fields. A closed modal is unchanged. */
type SubmittedView = View & { readonly errors: Readonly<Record<string, string>> }

const toPlace = (place: Message | View) => (isView(place) ? { view: place } : { message: place })

/** Longer than the deadlines for requests to the phone service. */
const patienceMs = 20_000

/** A person who uses the app at `slack.appUrl`. */
export class Actor {
  readonly user: User
  readonly #core: Core
  readonly #requests: Requests
  readonly #where: Pick<CommandInput, 'channel'>

  /** @param where a channel other than #general */
  constructor(core: Core, requests: Requests, user: User, where: Pick<CommandInput, 'channel'> = {}) {
    this.user = user
    this.#core = core
    this.#requests = requests
    this.#where = where
  }

  /** Sends a command such as `/calls missed`. The exchange collects the app's responses. */
  type(line: string) {
    const [, command = '', text = ''] = /^(\S+) ?(.*)$/s.exec(line) ?? []
    return this.#requests.command(this.#core.appUrl, { command, text, user: this.user, ...this.#where })
  }

  /** Clicks a button or chooses an option. The exchange collects the app's responses. */
  press(place: Message | View, action_id: string, choose?: Choice) {
    const what = { action_id, user: this.user, ...(choose === undefined ? {} : { choose }) }
    return this.#requests.click(this.#core.appUrl, { ...toPlace(place), ...what })
  }

  /** Returns the confirmation dialog of an element, one line each; undefined without one. `press` and `click` confirm it. */
  dialog(place: Message | View, action_id: string): string | undefined {
    const { confirm } = findElement(place.blocks, action_id).element
    return (
      confirm &&
      [confirm.title, confirm.text, confirm.confirm, confirm.deny].map(({ text }) => text).join('\n')
    )
  }

  async command(line: string): Promise<Message> {
    return (await this.type(line)).waitForMessage(patienceMs)
  }

  /** Clicks, and returns the resulting message, which usually replaces the clicked one. */
  async click(place: Message | View, action: string, choose?: Choice): Promise<Message> {
    return (await this.press(place, action, choose)).waitForMessage(patienceMs)
  }

  /**
   * Returns the modal that a command or click opens, or that a click updates. If a command responds with a list, its
   * *New…* button is clicked.
   */
  async open(line: string): Promise<View>
  async open(place: Message | View, action: string, choose?: Choice): Promise<View>
  async open(from: string | Message | View, action = '', choose?: Choice): Promise<View> {
    const exchange = await (typeof from === 'string' ? this.type(from) : this.press(from, action, choose))
    if (typeof from === 'string') {
      const modal = () => exchange.views.find(({ type }) => type === 'modal')
      const first = await this.#waitFor(() => modal() ?? exchange.messages[0])
      if (!isView(first)) return this.openNew(first)
    }
    // The Home tab may be published meanwhile.
    for (let n = 1; ; n++) {
      const view = await exchange.waitForView(n, patienceMs)
      if (view.type === 'modal') return view
    }
  }

  /** Opens the form with a list's *New…* button. @throws Error if the list has none */
  openNew(list: Message): Promise<View> {
    const { element } =
      elementsIn(list.blocks).find(({ element: { action_id: id = '' } }) => id.endsWith('.new')) ?? {}
    if (element?.action_id === undefined) throw new Error(`no form: ${list.text}`)
    return this.open(list, element.action_id)
  }

  /** Returns the modal that a message shortcut opens. @param message text that a person wrote, or a message from the app */
  async shortcut(callback_id: string, message: string | ShortcutInput['message']): Promise<View> {
    const of = typeof message === 'string' ? { text: message, ...this.#where } : message
    const input = { callback_id, message: of, user: this.user }
    return (await this.#requests.shortcut(this.#core.appUrl, input)).waitForView(1, patienceMs)
  }

  /** Opens the Home tab, and returns it once it is published. */
  async openHome(): Promise<View> {
    const { user } = this
    const published = () =>
      this.#core.calls.filter(({ method, args }) => method === 'views.publish' && args['user_id'] === user.id)
    const before = published().length
    const event = { type: 'app_home_opened', user: user.id, tab: 'home', channel: `D${user.id.slice(1)}` }
    await this.#requests.event(this.#core.appUrl, event)
    await this.#waitFor(() => published()[before])
    const { directory, views } = this.#core
    const team = directory.getTeam(user)
    return this.#waitFor(() => team && views.home(team, user.id)?.current)
  }

  /**
   * Submits a modal, after waiting for its form if it still shows a placeholder.
   * @throws Error if Slack would reject the app's response
   */
  async submit(
    view: View,
    values: NonNullable<SubmitInput['values']> = {},
    options: Pick<SubmitInput, 'force'> = {},
  ): Promise<SubmittedView> {
    const form = () => [view, this.#core.views.get(view.id)?.current].find((one) => one?.submit !== undefined)
    const shown = options.force ? view : await this.#waitFor(form)
    const input = { view: shown, values, user: this.user, ...options }
    const { result } = await this.#requests.submit(this.#core.appUrl, input)
    if (result?.action === 'failed') throw new Error(`the submission failed: ${result.reason}`)
    const errors = result?.action === 'errors' ? result.errors : {}
    return { ...(result && 'view' in result ? result.view : view), errors }
  }

  /** Returns the options that an external select loads for a text. */
  async suggest(view: View, action_id: string, value: string) {
    const input = { view, action_id, value, user: this.user }
    return (await this.#requests.suggest(this.#core.appUrl, input)).options
  }

  /** Waits until the message or view shows the text, and returns its new version. */
  async sees(place: Message, text: string): Promise<Message>
  async sees(place: View, text: string): Promise<View>
  async sees(place: Message | View, text: string): Promise<Message | View> {
    const { views, messages } = this.#core
    const now = () => (isView(place) ? views.get(place.id)?.current : messages.get(place.ts))
    const probe = () => {
      const current = now()
      return current && readableText(current).includes(text) ? current : undefined
    }
    try {
      return await this.#waitFor(probe)
    } catch (cause) {
      const last = now()
      const words = last ? `it reads:\n\n${readableText(last)}` : 'it is gone'
      throw new Error(`${this.user.name} does not see "${text}", and ${words}`, { cause })
    }
  }

  #waitFor<T>(probe: () => T | undefined): Promise<T> {
    return this.#core.changes.until(probe, patienceMs, () => 'what the test waits for')
  }
}
