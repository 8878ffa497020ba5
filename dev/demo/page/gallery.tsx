import { useEffect, useState } from 'preact/hooks'
import type { GalleryState, ShownSample } from '../api-types.ts'
import { Blocks } from './blocks/blocks.tsx'
import { toElementId } from './blocks/read.ts'
import { getGallery } from './hooks.ts'
import { MessageFrame } from './message.tsx'
import { ModalFrame } from './modal.tsx'

interface SampleProps {
  readonly sample: ShownSample
  readonly directory: GalleryState
  readonly theme: 'light' | 'dark'
}

/** Sets the page's color scheme: a frame asks the browser, not the page around it. */
const inTheme = (html: string, theme: 'light' | 'dark') =>
  html.replaceAll('(prefers-color-scheme: dark)', theme === 'dark' ? 'all' : 'not all')

/** Draws a sample without any effects. */
function Sample({ sample, directory, theme }: SampleProps) {
  if (sample.kind === 'page')
    // Without scripts; the same origin lets its height be measured.
    return (
      <iframe
        title={sample.name}
        sandbox="allow-same-origin"
        srcdoc={inTheme(sample.html, theme)}
        onLoad={({ currentTarget: frame }) => {
          frame.style.height = `${frame.contentDocument?.documentElement.scrollHeight}px`
        }}
      />
    )
  const scope = toElementId(sample.feature, sample.name)
  const errors = sample.kind === 'modal' ? sample.errors : {}
  const blocks = (
    <Blocks
      blocks={sample.blocks}
      surface={sample.kind}
      scope={scope}
      directory={directory}
      errors={errors}
    />
  )
  switch (sample.kind) {
    case 'home':
      return blocks
    case 'modal':
      return (
        <div class="modal card">
          <ModalFrame
            view={sample}
            titleId={`${scope}-title`}
            onClose={() => {}}
            onSubmit={(event) => event.preventDefault()}
          >
            {blocks}
          </ModalFrame>
        </div>
      )
    case 'message':
      return (
        <div class="message">
          <MessageFrame author={{ name: 'Callboard', isApp: true }} time="14:32">
            {blocks}
          </MessageFrame>
        </div>
      )
  }
}

const kinds = { message: 'message', modal: 'modal', home: 'Home tab', page: 'web page' } as const

interface SectionProps extends Omit<SampleProps, 'sample'> {
  readonly name: string
  readonly samples: readonly ShownSample[]
  /** Whether a search found these samples. */
  readonly isFound: boolean
}

/** Samples of a feature, drawn when opened. */
function Section({ name, samples, isFound, ...shown }: SectionProps) {
  const [isOpen, setOpen] = useState(location.hash === `#${toElementId(name)}`)
  useEffect(() => setOpen((before) => before || isFound), [isFound])
  return (
    <details id={toElementId(name)} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>
          {name} <small>{samples.length}</small>
        </h2>
      </summary>
      {isOpen &&
        samples.map((sample) => (
          <article key={sample.name} class="sample">
            <h3>
              {sample.name} <small>{kinds[sample.kind]}</small>
            </h3>
            <div class="sample-theme card" style={{ colorScheme: shown.theme }}>
              <Sample sample={sample} {...shown} />
            </div>
          </article>
        ))}
    </details>
  )
}

const isDark = matchMedia('(prefers-color-scheme: dark)').matches

/** Every screen of Callboard. */
export function Gallery() {
  const [state, setState] = useState<GalleryState>()
  const [theme, setTheme] = useState<'light' | 'dark'>(isDark ? 'dark' : 'light')
  const [words, setWords] = useState('')
  const isThere = state?.progress === 1
  useEffect(() => {
    if (!isThere) void getGallery().then(setState)
    document.title = 'Callboard: every screen'
    document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [state])
  const other = theme === 'light' ? 'dark' : 'light'
  const found = (state?.samples ?? []).filter((sample) =>
    JSON.stringify(sample).toLowerCase().includes(words.toLowerCase()),
  )
  return (
    <main class="gallery">
      <h1>Every screen</h1>
      {!isThere && (
        <p role="status">
          Recording… <progress aria-label="Recorded" value={state?.progress ?? 0} />
        </p>
      )}
      <p class="note">
        {found.length} messages, modals, Home tabs and web pages with invented data. Buttons only work in{' '}
        <a href="/">the demo</a>.
      </p>
      <div class="gallery-tools row">
        <input
          type="search"
          class="field"
          aria-label="Search"
          placeholder="Search"
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <button type="button" class="button" onClick={() => setTheme(other)}>
          Show in {other}
        </button>
      </div>
      {state &&
        Object.entries(Object.groupBy(found, ({ feature }) => feature)).map(([name, samples = []]) => (
          <Section
            key={name}
            name={name}
            samples={samples}
            isFound={words !== ''}
            directory={state}
            theme={theme}
          />
        ))}
    </main>
  )
}
