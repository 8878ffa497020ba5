import { render } from 'preact'
import { App } from './app.tsx'
import { Gallery } from './gallery.tsx'

const root = document.querySelector('#page')
if (root) render(location.pathname === '/gallery' ? <Gallery /> : <App />, root)
