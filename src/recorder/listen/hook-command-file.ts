import { type HookScriptOptions, MADE_BY } from './hook-script.ts';
import type { RecorderCommand } from './recorder-command.ts';

/** What the command file is made from: there is no recorder of the system on Windows. */
type CommandFileOptions = Omit<HookScriptOptions, 'node' | 'start' | 'threshold'> & Pick<RecorderCommand, 'start'>;

/** A text between double quotes in a command file: a percent sign would begin a variable. */
function quoted(text: string): string {
  return `"${text.replaceAll('%', '%%')}"`;
}

/**
 * What `hookScript` is on Windows: a command file around curl.exe, which Windows has had since version 1803, and the recorder's TCP
 * port. It has not been run: no test of ours runs on Windows.
 */
export function hookCommandFile({ home, feed, onFailure, start }: CommandFileOptions): string {
  const lines = [
    '@echo off',
    `rem Hands the hooks of ${feed} ${MADE_BY} ${feed}", which makes it again.`,
    'setlocal DisableDelayedExpansion',
    `set "home=${home.folder.replaceAll('%', '%%')}"`,
    'set "answer=%TEMP%\\countersign-%RANDOM%-%RANDOM%"',
    'set "port="',
    'set "token="',
    'set "status="',
    // {"pid":1,"port":2,"url":…}: the fourth of what colons and commas part.
    'if exist "%home%\\recorder.json" for /f "usebackq tokens=4 delims=:," %%p in ("%home%\\recorder.json") do set "port=%%p"',
    'if exist "%home%\\token" set /p token=<"%home%\\token"',
    'if not defined port goto wake',
    ':post',
    `curl.exe -q -sS --noproxy * --max-time 3 -H "authorization: Bearer %token%" -H "expect:" -H "content-type: application/octet-stream" --data-binary @- -o "%answer%" -w "%%{http_code}" http://127.0.0.1:%port%/v1/hook/${feed} >"%answer%.status" 2>nul`,
    'if exist "%answer%.status" set /p status=<"%answer%.status"',
    'del "%answer%.status" 2>nul',
    'if "%status%"=="200" goto allowed',
    'if "%status%"=="403" goto blocked',
    'del "%answer%" 2>nul',
    `>>"%home%\\missed\\${feed}" echo %DATE% %TIME% -`,
    // After a crash the port is one where nobody listens: the next hook finds a recorder.
    `start "" /b ${start.map(quoted).join(' ')} --quiet >nul 2>&1`,
    ...(onFailure === 'allow' ? ['exit /b 0'] : ['echo Countersign could not record this action. 1>&2', 'exit /b 2']),
    ':wake',
    `start "" /b ${start.map(quoted).join(' ')} --quiet >nul 2>&1`,
    'timeout /t 2 /nobreak >nul 2>&1',
    'if exist "%home%\\recorder.json" for /f "usebackq tokens=4 delims=:," %%p in ("%home%\\recorder.json") do set "port=%%p"',
    'if exist "%home%\\token" set /p token=<"%home%\\token"',
    'goto post',
    ':allowed',
    'type "%answer%" 2>nul',
    'del "%answer%" 2>nul',
    'exit /b 0',
    ':blocked',
    'type "%answer%" 1>&2',
    'del "%answer%" 2>nul',
    'exit /b 2',
  ];
  return `${lines.join('\r\n')}\r\n`;
}
