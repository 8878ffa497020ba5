import type { Person } from '../api-types.ts'
import type { ShownSample } from '../gallery-types.ts'
import type { Directory } from './blocks/block-context.ts'
import { Blocks } from './blocks/blocks.tsx'
import { MessageFrame } from './message-frame.tsx'
import { ModalFrame } from './modal-frame.tsx'

const callboard: Person = { id: '', name: 'Callboard', title: 'App', isApp: true }
const nothing = () => {}

export interface SampleProps {
  readonly sample: ShownSample
  readonly directory: Directory
  readonly theme: 'light' | 'dark'
  /** What ids begin with: everything is drawn twice. */
  readonly scope: string
}

/** The page as it is for people who prefer that scheme: a frame asks the browser, not the page that it is in. */
const inTheme = (html: string, theme: 'light' | 'dark') =>
  html.replaceAll('(prefers-color-scheme: dark)', theme === 'dark' ? 'all' : 'not all')

/** A message, modal, home tab or page as people see it, which does nothing. */
export function Sample({ sample, directory, theme, scope }: SampleProps) {
  if (sample.kind === 'page')
    return <iframe title={sample.name} sandbox="" srcdoc={inTheme(sample.html, theme)} />
  const blocks = (
    <Blocks
      blocks={sample.blocks}
      surface={sample.kind}
      scope={scope}
      directory={directory}
      errors={sample.kind === 'modal' ? sample.errors : {}}
      onAction={nothing}
      suggest={async () => []}
    />
  )
  switch (sample.kind) {
    case 'home':
      return blocks
    case 'modal':
      return (
        <div class="modal">
          <ModalFrame
            view={sample}
            titleId={`${scope}-title`}
            onClose={nothing}
            onSubmit={(event) => event.preventDefault()}
          >
            {blocks}
          </ModalFrame>
        </div>
      )
    case 'message':
      return (
        <div class="message">
          <MessageFrame author={callboard} index={0} time="14:32" dateTime="14:32" isOnlyForYou={false}>
            {blocks}
          </MessageFrame>
        </div>
      )
  }
}
