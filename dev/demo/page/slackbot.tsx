import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ActionResult } from '../api-types.ts'
import { Blocks } from './blocks/blocks.tsx'
import type { ElementAction } from './blocks/field.ts'
import { asList, asObject, asText } from './blocks/read.ts'
import { Mrkdwn } from './blocks/text.tsx'
import { send, usePage } from './hooks.ts'
import { SendIcon } from './icons.tsx'
import { MessageFrame, Problem } from './message.tsx'
import { type ReadQuestion, readQuestion } from './question.ts'

/** Returns a tool's arguments from the clicked button. */
function readArguments(blocks: readonly unknown[], { blockId, actionId }: ElementAction): unknown {
  const block = blocks.map(asObject).find((one) => one['block_id'] === blockId)
  const element = asList(block?.['elements']).find((one) => one['action_id'] === actionId)
  return JSON.parse(asText(element?.['value']))
}

/** A question for each tool. */
const examples = [
  'Which calls did we miss yesterday?',
  'Who is waiting for a call back?',
  'How did last week go, by hour?',
  'Which calls did Anna Smith miss this week?',
  'Who answers our calls?',
  'Which numbers do we have?',
  'What does our phone account cost?',
]

const notUnderstoodText =
  'I only know a few words here: missed, answered or outgoing calls, days, a name, a line or a number; reports, agents, numbers and costs. The real Slackbot understands more.'

/** A question with its answer. */
interface Turn {
  readonly id: number
  readonly question: string
  /** How the question was read; undefined if it wasn't. */
  readonly chosen: string | undefined
  readonly result: ActionResult | undefined
}

const conversations = new Map<string, readonly Turn[]>()

/** Forgets what people asked Slackbot. */
export const forgetConversations = (): void => conversations.clear()

/** Keeps a person's conversation while another place is open. */
function useConversation(user: string) {
  const [, redraw] = useState(0)
  function change(update: (before: readonly Turn[]) => readonly Turn[]): void {
    conversations.set(user, update(conversations.get(user) ?? []))
    redraw((count) => count + 1)
  }
  return { turns: conversations.get(user) ?? [], change }
}

/** `list_calls · status: missed · range: yesterday` */
function describeChoice({ tool, args, missing }: ReadQuestion): string {
  const parts = [tool, ...Object.entries(args).map(([field, value]) => `${field}: ${value}`)]
  if (missing.length > 0) parts.push(`it can't be asked for ${missing.join(' and ')}`)
  return parts.join(' · ')
}

interface AnswerProps {
  readonly turn: Turn
  readonly busy: string | undefined
  readonly onAction: (action: ElementAction) => void
}

function Answer({ turn: { chosen, result }, busy, onAction }: AnswerProps) {
  const { people, channels } = usePage().state
  const directory = { people, channels }
  const { answer } = result ?? {}
  const blocks = answer?.blocks ?? []
  if (chosen === undefined) return <p>{notUnderstoodText}</p>
  return (
    <>
      <p class="note">
        <code>{chosen}</code>
      </p>
      {!result && <p class="note">Asking Callboard…</p>}
      <Problem text={result?.problem} />
      {answer && blocks.length === 0 && <Mrkdwn text={answer.text} directory={directory} />}
      {blocks.length > 0 && (
        <Blocks blocks={blocks} surface="message" directory={directory} busy={busy} onAction={onAction} />
      )}
    </>
  )
}

/** Slackbot with a few rules instead of its model. */
export function AskSlackbot() {
  const { user, people } = usePage().state
  const { turns, change } = useConversation(user)
  /** Turn and element that wait for an answer. */
  const [busy, setBusy] = useState<{ readonly turn: number; readonly element?: string }>()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const newest = turns.at(-1)?.id
  useLayoutEffect(() => {
    const last = list.current?.querySelector<HTMLElement>('.turn:last-of-type')
    if (list.current && last) list.current.scrollTop = last.offsetTop
  }, [newest])
  const author = people.findIndex(({ id }) => id === user)

  async function call(turn: number, tool: string, args: object, element = ''): Promise<void> {
    setBusy({ turn, element })
    try {
      const result = await send({ kind: 'tool', user, tool, args: { ...args } })
      change((before) => before.map((one) => (one.id === turn ? { ...one, result } : one)))
    } finally {
      setBusy(undefined)
    }
  }

  function ask(question: string): void {
    if (question === '' || busy !== undefined) return
    const id = turns.length
    const read = readQuestion(question)
    const chosen = read && describeChoice(read)
    change((before) => [...before, { id, question, chosen, result: undefined }])
    if (read) void call(id, read.tool, read.args)
  }

  function onClick(turn: Turn, action: ElementAction): void {
    if (busy !== undefined) return
    const args = Object(readArguments(turn.result?.answer?.blocks ?? [], action))
    void call(turn.id, action.actionId.slice('tool:'.length), args, `${action.blockId}/${action.actionId}`)
  }

  return (
    <>
      <div ref={list} class="timeline" role="log" aria-label="Conversation with Slackbot">
        <p class="note slackbot-note">
          No model runs here: a few words of your question choose a tool and fill in its fields, which are
          shown above the answer. The real Slackbot understands more. <em>Traffic</em> shows the signed
          request.
        </p>
        <fieldset class="small-buttons row examples" aria-label="Examples">
          {examples.map((question) => (
            <button key={question} type="button" class="button" onClick={() => ask(question)}>
              {question}
            </button>
          ))}
        </fieldset>
        {turns.map((turn) => (
          <div key={turn.id} class="turn">
            <div class="message">
              <MessageFrame author={{ name: people[author]?.name ?? '', isApp: false }} index={author}>
                <p>{turn.question}</p>
              </MessageFrame>
            </div>
            <article class="message" aria-label="Slackbot's answer">
              <MessageFrame author={{ name: 'Slackbot', isApp: true }}>
                <Answer
                  turn={turn}
                  busy={busy?.turn === turn.id ? busy.element : undefined}
                  onAction={(action) => onClick(turn, action)}
                />
              </MessageFrame>
            </article>
          </div>
        ))}
      </div>
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault()
          if (!input.current || busy !== undefined) return
          ask(input.current.value.trim())
          input.current.value = ''
        }}
      >
        <div class="composer-line card">
          <input
            ref={input}
            id="message-box"
            type="text"
            autoComplete="off"
            aria-label="Message Slackbot"
            placeholder="Ask about calls, agents and bills"
          />
          <button type="submit" class="send" aria-label="Send">
            <SendIcon />
          </button>
        </div>
      </form>
    </>
  )
}
