import { useEffect, useState } from 'preact/hooks'
import type { Person } from '../api-types.ts'
import type { GalleryState, ShownSample } from '../gallery-types.ts'
import { getGallery } from './api.ts'
import type { Directory } from './blocks/block-context.ts'
import { Blocks } from './blocks/blocks.tsx'
import { idOf } from './blocks/read.ts'
import { MessageFrame } from './message-frame.tsx'
import { ModalFrame } from './modal-frame.tsx'

const callboard: Person = { id: '', name: 'Callboard', title: 'App', isApp: true }
const nothing = () => {}

interface SampleProps {
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
function Sample({ sample, directory, theme, scope }: SampleProps) {
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

const themes = ['light', 'dark'] as const
const kinds = { message: 'message', modal: 'modal', home: 'home tab', page: 'web page' } as const

function Feature({
  name,
  samples,
  state,
}: {
  readonly name: string
  readonly samples: readonly ShownSample[]
  readonly state: GalleryState
}) {
  return (
    <section class="gallery-feature" aria-labelledby={idOf(name)}>
      <h2 id={idOf(name)}>{name}</h2>
      {samples.map((sample) => (
        <article key={sample.name} class="sample">
          <h3>
            {sample.name} <small>{kinds[sample.kind]}</small>
          </h3>
          <div class="sample-pair">
            {themes.map((theme) => (
              <div key={theme} class={`sample-theme sample-${theme}`}>
                <Sample
                  sample={sample}
                  directory={state}
                  theme={theme}
                  scope={idOf(name, sample.name, theme)}
                />
              </div>
            ))}
          </div>
        </article>
      ))}
    </section>
  )
}

/** Everything that Callboard can show, in light and in dark. */
export function Gallery() {
  const [state, setState] = useState<GalleryState>()
  const isThere = state?.progress === 1
  useEffect(() => {
    if (!isThere) void getGallery().then(setState)
  }, [state])
  useEffect(() => {
    document.title = 'Callboard, everything it shows'
    document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [state])
  const features = Object.entries(Object.groupBy(state?.samples ?? [], ({ feature }) => feature))
  return (
    <main class="gallery">
      <h1>Everything that Callboard can show</h1>
      {!isThere && (
        <p role="status">
          The app is being used to see what it shows…{' '}
          <progress aria-label="Recorded" value={state?.progress ?? 0} />
        </p>
      )}
      <p>
        {isThere && state.samples.length} messages, modals, home tabs and web pages with invented data, in
        light and in dark. Nothing here does anything; <a href="/">the demo</a> does.
      </p>
      <nav aria-label="Features">
        {features.map(([name, samples = []]) => (
          <a key={name} href={`#${idOf(name)}`}>
            {name} <small>{samples.length}</small>
          </a>
        ))}
      </nav>
      {state &&
        features.map(([name, samples = []]) => (
          <Feature key={name} name={name} samples={samples} state={state} />
        ))}
    </main>
  )
}
