// Cards of channels, page after page.
import {get} from "./api.js";
import {channelCard, channelOutline} from "./cards.js";
import {feed} from "./feed.js";

// `path` and `asked` say what the API is asked for; `onpage` sees each answer.
export function channelList({path, asked = {}, memory, signal, empty, onpage = () => {}}) {
  return feed({
    load: async (cursor) => {
      const page = await get(path, {...asked, cursor, limit: 48}, signal);
      onpage(page);
      return {items: page.channels ?? [], next: page.next};
    },
    render: (channel) => channelCard(channel),
    outline: channelOutline,
    noun: "channel",
    className: "channel-list",
    memory,
    signal,
    empty,
  });
}
