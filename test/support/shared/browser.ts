import { type Browser, chromium } from 'playwright-core'
import { askShared } from './ask.ts'

/** The browser that all files share. Closing it closes what was opened by this connection, and no more. */
export const connectBrowser = async (): Promise<Browser> => chromium.connect(await askShared('browser'))
